import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { usualName, usualNames } from "./field-names.ts";
import { isField, parseFields } from "./fields.ts";

/** The rule for one line as patterns say it. */
function expected(text: string): string[] | null {
  const fields: string[] = [];
  for (const line of text.split("\r\n")) {
    const [, name = "", value = ""] = /^([^:]*):[\t ]*([\s\S]*?)[\t ]*$/.exec(line) ?? [];
    if (!isField(name, value)) return null;
    fields.push(name.toLowerCase(), value);
  }
  return fields;
}

function parsed(text: string, before: string, after: string): string[] | null {
  const bytes = Buffer.from(before + text + after, "latin1");
  const at = before.length;
  return parseFields({ bytes, text, at }, at, at + text.length);
}

const character = fc.oneof(
  fc.constantFrom(":", " ", "\t", "\r", "\n", "\r\n", "-", "_", "\x80", "\xa0", "\0", "a", "Z"),
  fc.nat(255).map((code) => String.fromCharCode(code)),
);
const name = fc.oneof(
  fc.constantFrom("Host", "content-length", "Transfer-Encoding", "TE", "transfer_encoding", "x-a"),
  fc.array(character, { maxLength: 6 }).map((all) => all.join("")),
);
const line = fc
  .tuple(name, fc.constantFrom(": ", ":", " :", ""), fc.array(character, { maxLength: 12 }))
  .map(([before, colon, value]) => before + colon + value.join(""));

describe("field lines", () => {
  it("are read from bytes as the patterns for one line have it", () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
        const text = lines.join("\r\n");
        assert.deepEqual(parsed(text, "GET / HTTP/1.1\r\n", "\r\n\r\nrest"), expected(text));
        assert.deepEqual(parsed(text, "", ""), expected(text));
      }),
      { numRuns: propertyRuns(20_000) },
    );
  });

  it("leave the no-break space, which is part of a value", () => {
    assert.deepEqual(parsed("A: \t\xa0b \t", "", "\r\n\r\n"), ["a", "\xa0b"]);
  });
});

describe("usual names", () => {
  it("are found whatever their case, each in a place of its own", () => {
    for (const one of usualNames) {
      for (const text of [one, one.toUpperCase()]) {
        assert.equal(usualName(Buffer.from(text), 0, text.length), one);
      }
    }
  });

  it("are no other names with the same letters at the same places", () => {
    for (const text of ["hosu", "content_length", "contentxlength", "tf"]) {
      assert.equal(usualName(Buffer.from(text), 0, text.length), null);
    }
  });
});
