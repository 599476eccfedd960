import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { AppError } from "../../domain/errors.ts";
import { parseJsonBody } from "./json-body.ts";

function refusal(text: string): string {
  try {
    parseJsonBody(text);
  } catch (error) {
    assert.ok(error instanceof AppError);
    assert.equal(error.code, "invalid");
    return error.message;
  }
  return "";
}

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
}

describe("JSON bodies", () => {
  it("are undefined when empty and null when null", () => {
    assert.equal(parseJsonBody(""), undefined);
    assert.equal(parseJsonBody(" \r\n\t"), undefined);
    assert.equal(parseJsonBody("null"), null);
  });

  it("that are well-formed come through unchanged", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8, stringUnit: "binary" }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(
          !text.includes("__proto__") && !text.includes("\\u0000") && !/\\ud[89a-f]/i.test(text),
        );
        assert.deepEqual(parseJsonBody(text), JSON.parse(text));
      }),
      { numRuns: propertyRuns(5_000) },
    );
  });

  it("that are not JSON are refused without repeating them", () => {
    for (const text of [
      "{",
      "{'a':1}",
      "{a:1}",
      "[1,]",
      "undefined",
      "NaN",
      "secret-canary",
      "{}{}",
    ]) {
      assert.equal(refusal(text), "the body is not valid JSON", text);
    }
  });

  it("nested beyond 20 levels are refused, and a million brackets end nothing", () => {
    assert.deepEqual(parseJsonBody(nested(20)), JSON.parse(nested(20)));
    assert.match(refusal(nested(21)), /nested deeper than 20/);
    assert.match(refusal(`${"[".repeat(30_000)}${"]".repeat(30_000)}`), /nested deeper than 20/);
  });

  it("with a key that would reach a prototype are refused at any depth", () => {
    for (const text of [
      '{"__proto__":{"x":1}}',
      '[{"a":{"__proto__":1}}]',
      '{"\\u005f_proto__":1}',
    ]) {
      assert.equal(refusal(text), "__proto__: unknown field", text);
    }
    assert.equal(({} as { x?: unknown }).x, undefined);
  });

  it("with text that a database cannot hold are refused, by path", () => {
    const cases: readonly (readonly [string, string])[] = [
      ['{"name":"a\\u0000b"}', "name"],
      ['{"name":"\\ud800"}', "name"],
      ['{"list":["ok",{"deep":"\\udc00x"}]}', "list.1.deep"],
      ['{"a\\u0000":1}', ""],
      ['"\\u0000"', ""],
    ];
    for (const [text, path] of cases) {
      const message = refusal(text);
      assert.match(message, /text that is not valid Unicode or holds a NUL/, text);
      assert.equal(message.startsWith(path ? `${path}: ` : "text"), true, message);
    }
    assert.deepEqual(parseJsonBody('{"name":"\\ud83d\\ude00"}'), { name: "😀" });
  });
});
