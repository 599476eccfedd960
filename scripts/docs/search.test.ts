import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { proofSize } from "@mooring/testing/processes/proof-size";
import fc from "fast-check";
import { excerpt, type SearchEntry, search, searchedWords, tokenize } from "./search.ts";

function entry(heading: string, text: string, page = "Page"): SearchEntry {
  return { page, heading, text, url: `${heading}.html` };
}

describe("search", () => {
  it("puts the section that is about a word before one that mentions it", () => {
    const hits = search([entry("Other", "drift drift drift"), entry("Drift", "")], "drift");
    assert.deepEqual(
      hits.map(({ entry: { heading } }) => heading),
      ["Drift", "Other"],
    );
  });

  it("requires every word, and accepts the beginning and a part of one", () => {
    const entries = [entry("dns_timeout", "no answer came"), entry("Other", "an answer")];
    const found = (typed: string) =>
      search(entries, typed).map(({ entry: { heading } }) => heading);
    assert.deepEqual(found("timeout answer"), ["dns_timeout"]);
    assert.deepEqual(found("answ").toSorted(), ["Other", "dns_timeout"]);
    assert.deepEqual(found("TIMEOUT"), ["dns_timeout"]);
    assert.deepEqual(found("  "), []);
  });

  it("finds what the guide calls otherwise, after what has the word itself", () => {
    const entries = [
      entry("allowed_origins", "pages that may show the widget"),
      entry("rate_limited", "wait for Retry-After"),
      entry("Timeout", ""),
      entry("CORS", ""),
      entry("429", ""),
    ];
    const found = (typed: string) =>
      search(entries, typed).map(({ entry: { heading } }) => heading);
    assert.deepEqual(found("CORS"), ["CORS", "allowed_origins"]);
    assert.deepEqual(found("429"), ["429", "rate_limited"]);
    assert.deepEqual(found("timeouts"), ["Timeout"]);
    assert.deepEqual(found("cors 429"), []);
    assert.deepEqual(found("constructor"), []);
    assert.match(excerpt(`${"before ".repeat(60)}allowed_origins`, "cors"), /allowed_origins$/);
  });

  it("returns only entries with each word, best first, and never fails", () => {
    const texts = fc.string({ maxLength: 60 });
    const entries = fc.array(fc.record({ page: texts, heading: texts, url: texts, text: texts }), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(entries, texts, (all, typed) => {
        const hits = search(all, typed);
        for (const { entry: found } of hits) {
          const whole = `${found.page} ${found.heading} ${found.text}`.toLowerCase();
          for (const word of tokenize(typed)) {
            assert.ok(searchedWords(word).some((one) => whole.includes(one)));
          }
        }
        const scores = hits.map(({ score }) => score);
        assert.deepEqual(
          scores,
          scores.toSorted((a, b) => b - a),
        );
      }),
      { numRuns: proofSize(200, 10_000) },
    );
  });
});

describe("excerpt", () => {
  it("shows the text around the match, in whole words", () => {
    const text = `${"before ".repeat(60)}needle ${"after ".repeat(60)}`;
    const shown = excerpt(text, "needle");
    assert.match(shown, /^… (?:before )+needle (?:after )+…$/);
    assert.ok(shown.length < 160);
  });

  it("is the whole text when that is short", () => {
    assert.equal(excerpt("all of it", "it"), "all of it");
  });
});
