import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseSearch, stringifySearch } from "../app/search-text.ts";
import { builtInViews, isSameView, readDomainSearch } from "./domain-search.ts";

describe("readDomainSearch", () => {
  it("reads every filter", () => {
    const search = {
      q: "acme",
      state: ["live", "drifted"],
      application: "a1",
      provider: "porkbun",
      error: "dns_timeout",
      actor: ["end_customer", "tenant"],
      stuck: "true",
      customer: "c1",
      wildcard: "false",
      ends: "30",
      dangling: "true",
      sort: "stuck_since",
      cursor: "c",
    };
    assert.deepEqual(readDomainSearch(search), search);
  });

  it("brings states into the order of a connection's life, and ignores unknown ones", () => {
    const search = { state: ["drifted", "sold", "live"] };
    assert.deepEqual(readDomainSearch(search), { state: ["live", "drifted"] });
    assert.deepEqual(readDomainSearch({ state: "sold" }), {});
  });

  it("ignores values that are no choice", () => {
    assert.deepEqual(
      readDomainSearch({ wildcard: "yes", sort: "name", stuck: "1", actor: "x", ends: "31" }),
      {},
    );
  });
});

describe("builtInViews", () => {
  it("are what their URL says", () => {
    for (const { search } of builtInViews) {
      assert.deepEqual(readDomainSearch(parseSearch(stringifySearch({ ...search }))), search);
    }
  });
});

describe("isSameView", () => {
  it("compares the filters, in any order and on any page", () => {
    assert.ok(isSameView({ q: "a", provider: "p", cursor: "1" }, { provider: "p", q: "a" }));
    assert.ok(!isSameView({ q: "a" }, { q: "b" }));
    assert.ok(!isSameView({}, { state: ["live"] }));
  });
});
