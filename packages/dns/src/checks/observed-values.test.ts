import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { boundValues } from "./observed-values.ts";

describe("boundValues", () => {
  it("keeps 32 different values and counts the rest", () => {
    const seen = Array.from({ length: 100 }, (_, index) => `192.0.2.${index}`);
    const { values, omitted, isTruncated } = boundValues([...seen, ...seen], "192.0.2.1");
    assert.deepEqual([values.length, omitted, isTruncated], [32, 68, true]);
  });

  it("keeps the wanted value wherever it stands", () => {
    const seen = [...Array.from({ length: 100 }, (_, index) => `value ${index}`), "wanted"];
    assert.equal(boundValues(seen, "wanted").values[0], "wanted");
  });

  it("cuts long values, and says so", () => {
    const { values, omitted, isTruncated } = boundValues(["x".repeat(513)], "y");
    assert.deepEqual([values[0]?.length, omitted, isTruncated], [512, 0, true]);
    assert.equal(boundValues(["x".repeat(512)], "y").isTruncated, false);
  });
});
