import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { joinTxt, quoteTxt, splitTxt, unquoteTxt } from "./presentation.ts";

describe("TXT presentation", () => {
  test("quotes, escapes and splits at 255 octets", () => {
    assert.equal(quoteTxt('a"b\\c'), '"a\\"b\\\\c"');
    assert.equal(quoteTxt("ü"), '"\\195\\188"');
    assert.equal(quoteTxt(""), '""');
    assert.equal(quoteTxt("x".repeat(256)), `"${"x".repeat(255)}" "x"`);
    assert.equal(splitTxt("x".repeat(510)).length, 2);
  });

  test("reads what providers and zone files write", () => {
    const cases: readonly (readonly [string, string | null])[] = [
      ['"v=spf1 -all"', "v=spf1 -all"],
      ['"a" "b"', "ab"],
      ['  "a"\t"b"  ', "ab"],
      ["plain", "plain"],
      ["two words", "twowords"],
      ['"\\195\\188"', "ü"],
      ['"a\\;b"', "a;b"],
      ['""', ""],
      ['"open', null],
      ['"a"b', null],
      ['"\\999"', null],
      ['"\\9"', null],
      ["", null],
      ["  ", null],
      ['a"b', null],
    ];
    for (const [presentation, text] of cases) {
      assert.equal(unquoteTxt(presentation), text, presentation);
    }
  });

  test("goes there and back for every text", () => {
    const texts = fc.string({ unit: "binary", maxLength: 700 });
    fc.assert(
      fc.property(texts, (text) => {
        const wellFormed = text.toWellFormed();
        assert.equal(unquoteTxt(quoteTxt(wellFormed)), wellFormed);
        assert.equal(joinTxt(splitTxt(wellFormed)), wellFormed);
        assert.ok(splitTxt(wellFormed).every((string) => string.length <= 255));
        assert.match(quoteTxt(wellFormed), /^[\x20-\x7e]*$/);
      }),
      { numRuns: propertyRuns(5_000) },
    );
  });
});
