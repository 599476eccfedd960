import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { cutText, entryFor, foreignLine, foreignText, isStorableText } from "./foreign-text.ts";
import { ProviderError } from "./providers/adapter/errors.ts";

const anyText = fc.string({ unit: "binary", maxLength: 60 });

describe("text that others wrote", () => {
  test("can be stored after it was made safe, whatever it was", () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 });
    fc.assert(
      fc.property(units, fc.nat(50), (codes, length) => {
        const text = String.fromCharCode(...codes);
        for (const safe of [foreignText(text, length), foreignLine(text, length)]) {
          assert.ok(isStorableText(safe));
          assert.ok(safe.length <= length);
        }
      }),
    );
  });

  test("stays as it is when nothing is wrong with it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(
          isStorableText(text) && !/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text),
        );
        assert.equal(foreignText(text), text);
      }),
    );
    assert.equal(foreignText("grüße, 日本 😀"), "grüße, 日本 😀");
  });

  test("finds the entries of a table and nothing else", () => {
    const table = { ANAME: "ALIAS" };
    assert.equal(entryFor(table, "ANAME"), "ALIAS");
    for (const name of [...Object.getOwnPropertyNames(Object.prototype), "A", ""]) {
      assert.equal(entryFor(table, name), undefined, name);
    }
  });

  test("is never cut inside a surrogate pair", () => {
    assert.equal(cutText("ab😀", 3), "ab");
    assert.equal(cutText("ab😀", 4), "ab😀");
    assert.equal(foreignLine(`${"x".repeat(9)}😀`, 10), "x".repeat(9));
    assert.ok(new ProviderError("auth", `${"x".repeat(1_999)}😀`).message.isWellFormed());
  });

  test("cannot reorder what is displayed, nor break the line it stands in", () => {
    assert.equal(foreignText("a\u202eb\0c\ud800"), "a\ufffdb\ufffdc\ufffd");
    assert.equal(foreignLine(" a\r\n\u2028b\u202ec\t ", 80), "a b c");
  });
});
