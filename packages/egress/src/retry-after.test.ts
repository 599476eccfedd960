import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseRetryAfter } from "./retry-after.ts";

const now = new Date("2026-11-15T12:00:00Z");
const read = (value: string | null) => parseRetryAfter(value, now);

describe("parseRetryAfter", () => {
  test("reads seconds", () => {
    assert.equal(read("0"), 0);
    assert.equal(read(" 120 "), 120);
  });

  test("reads a date as the seconds until then, 0 when it has passed", () => {
    assert.equal(read("Sun, 15 Nov 2026 12:01:00 GMT"), 60);
    assert.equal(read("Sunday, 15-Nov-26 12:01:00 GMT"), 60);
    assert.equal(read("Sun, 15 Nov 2026 11:00:00 GMT"), 0);
  });

  test("is null when absent or unreadable, and bounded", () => {
    for (const value of [null, "", "-5", "1.5", "soon", "soon 5", "2026-11-15", "1e3", "2026"]) {
      const expected = value === "2026" ? 2_026 : null;
      assert.equal(read(value), expected, String(value));
    }
    assert.equal(read("9".repeat(400)), 315_360_000);
  });
});
