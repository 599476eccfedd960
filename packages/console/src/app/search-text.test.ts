import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  compact,
  parseSearch,
  readChoice,
  readText,
  readTexts,
  stringifySearch,
} from "./search-text.ts";

describe("parseSearch and stringifySearch", () => {
  it("keep one value as a text and several as a list", () => {
    assert.deepEqual(parseSearch("?state=live&state=drifted&q=acme"), {
      state: ["live", "drifted"],
      q: "acme",
    });
  });

  it("are the reverse of each other, also for signs with a meaning in a URL", () => {
    for (const search of [{ q: "a&b=c+d %" }, { state: ["live", "failed"], cursor: "x/y" }]) {
      assert.deepEqual(parseSearch(stringifySearch(search)), search);
    }
  });

  it("leave out what is absent or empty", () => {
    assert.equal(stringifySearch({ q: "", cursor: undefined, state: [], id: null }), "");
  });
});

describe("readText, readTexts and readChoice", () => {
  it("read the first of several texts, and all of them", () => {
    assert.equal(readText({ q: ["a", "b"] }, "q"), "a");
    assert.deepEqual(readTexts({ q: ["a", "b"] }, "q"), ["a", "b"]);
  });

  it("take the empty text and what is no text as absent", () => {
    assert.equal(readText({ q: "" }, "q"), undefined);
    assert.deepEqual(readTexts({ q: [1, "", "a"] }, "q"), ["a"]);
    assert.deepEqual(readTexts({}, "q"), []);
  });

  it("ignore a text that is no choice", () => {
    assert.equal(readChoice({ sort: "name" }, "sort", ["stuck_since"]), undefined);
    assert.equal(readChoice({ sort: "stuck_since" }, "sort", ["stuck_since"]), "stuck_since");
  });
});

describe("compact", () => {
  it("removes undefined entries and no others", () => {
    const entries: { readonly a: number | undefined; readonly b: string | undefined } = {
      a: 0,
      b: undefined,
    };
    assert.deepEqual(compact(entries), { a: 0 });
  });
});
