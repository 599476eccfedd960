import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { retryAfterOf } from "./retry-after.ts";

const clock = { now: () => new Date("2026-11-15T12:00:00Z") };
const read = (value?: string) =>
  retryAfterOf(new Headers(value === undefined ? {} : { "retry-after": value }), clock);

describe("retryAfterOf", () => {
  it("reads seconds", () => {
    assert.equal(read("0"), 0);
    assert.equal(read(" 120 "), 120);
  });

  it("reads a date as the seconds until then, none when it has passed", () => {
    assert.equal(read("Sun, 15 Nov 2026 12:01:00 GMT"), 60);
    assert.equal(read("Sun, 15 Nov 2026 11:00:00 GMT"), 0);
  });

  it("is null for nothing and for nonsense, and bounded for the absurd", () => {
    for (const value of [undefined, "", "-5", "1.5", "soon", "2026"]) {
      const expected = value === "2026" ? 2_026 : null;
      assert.equal(read(value), expected, String(value));
    }
    assert.equal(read("9".repeat(400)), 315_360_000);
  });
});
