import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { parseInput } from "./parse-input.ts";

describe("input", () => {
  const Body = z.object({ name: z.string().min(1).max(5), more: z.unknown().optional() });

  it("is what the schema makes of it", () => {
    const data = { name: "shop" };
    assert.deepEqual(parseInput(Body, data), { success: true, data, issues: [] });
    assert.equal(parseInput(Body, { name: "" }).success, false);
    assert.equal(parseInput(Body, { name: "shop", more: { length: "long" } }).success, true);
  });

  for (const length of [{ toString: "x" }, {}, [], { valueOf: null }]) {
    it(`is invalid with ${JSON.stringify(length)} for a length, at the field that has it`, () => {
      const { issues } = parseInput(Body, { name: { length } });
      assert.deepEqual(
        issues.map(({ path, message }) => [path, message]),
        [[["name"], "wrong type"]],
      );
      const deep = parseInput(Body, { name: "shop", more: [{ inner: { length } }] });
      assert.deepEqual(deep.issues[0]?.path, ["more", "0", "inner"]);
    });
  }
});
