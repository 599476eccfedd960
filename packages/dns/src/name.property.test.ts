import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { normalizeName, parseHostname, toUnicode } from "./name.ts";

function key(input: string): string {
  const parsed = parseHostname(input);
  return parsed.ok ? parsed.hostname : `refused: ${parsed.reason}`;
}

describe("parseHostname over generated names", () => {
  test("maps every spelling of a name to one key", () => {
    fc.assert(
      fc.property(spellings(), ({ canonical, spelling }) => {
        assert.equal(key(spelling), canonical);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  test("is idempotent, and its Unicode form leads back to the same key", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "grapheme" }), looseNames()), (input) => {
        const parsed = parseHostname(input);
        if (!parsed.ok) return;
        assert.equal(key(parsed.hostname), parsed.hostname);
        assert.equal(key(toUnicode(parsed.hostname)), parsed.hostname);
        assert.match(parsed.hostname, /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]+$/);
        assert.ok(parsed.hostname.length <= 253);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });
});

/** A canonical hostname beside one of its many spellings. */
function spellings(): fc.Arbitrary<{ canonical: string; spelling: string }> {
  const words = ["shop", "bücher", "москва", "日本語", "例え", "faß", "ñandú", "a1-b2", "x"];
  const suffixes = ["com", "co.uk", "example", "рф", "公司.cn"];
  return fc
    .record({
      labels: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }),
      suffix: fc.constantFrom(...suffixes),
      upper: fc.array(fc.boolean(), { minLength: 1, maxLength: 16 }),
      ascii: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      dot: fc.constantFrom(".", "。", "．", "｡"),
      end: fc.constantFrom("", ".", "。"),
      decomposed: fc.boolean(),
      wide: fc.boolean(),
    })
    .map(({ labels, suffix, upper, ascii, dot, end, decomposed, wide }) => {
      const parts = [...labels, ...suffix.split(".")];
      const canonical = parts.map((part) => normalizeName(part) ?? "").join(".");
      const spelling = parts
        .map((part, index) => (ascii[index % ascii.length] ? (normalizeName(part) ?? "") : part))
        .map((part) => (decomposed ? part.normalize("NFD") : part))
        // ẞ is the capital of ß; JavaScript's own upper case would make it SS, another name.
        .map((part) => recase(part, upper))
        .map((part) => (wide && /^[a-z]+$/.test(part) ? toFullWidth(part) : part))
        .join(dot);
      return { canonical, spelling: spelling + end };
    });
}

function recase(text: string, upper: readonly boolean[]): string {
  return Array.from(text, (char, index) => {
    if (!upper[index % upper.length]) return char;
    return char === "ß" ? "ẞ" : char.toUpperCase();
  }).join("");
}

function toFullWidth(text: string): string {
  return Array.from(text, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)).join("");
}

function looseNames(): fc.Arbitrary<string> {
  const unit = fc.constantFrom(..."abcxn-_.*0x19ßüİאд日.\u00ad\u200d。");
  return fc.string({ unit, maxLength: 24 }).map((text) => `${text}.com`);
}
