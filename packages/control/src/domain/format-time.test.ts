import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatTime } from "./format-time.ts";

describe("formatTime", () => {
  const agrees = (ms: number) => assert.equal(formatTime(new Date(ms)), new Date(ms).toISOString());

  it("gives what toISOString gives", () => {
    const days = [0, 1, 19_782, 20_775, -1, -719_529, 2_932_897, 100_000_000];
    const moments = [0, 1, 9, 10, 99, 100, 999, 1_000, 59_999, 60_000, 3_599_999, 3_600_000];
    for (const day of days) {
      for (const ms of moments) {
        if (day < 100_000_000) agrees(day * 86_400_000 + ms);
        agrees(day * 86_400_000 - ms);
      }
    }
    for (let count = 0; count < 10_000; count += 1) agrees(Math.floor(Math.random() * 4e12) - 2e12);
  });

  it("throws for an invalid time, also after a valid one", () => {
    formatTime(new Date(0));
    assert.throws(() => formatTime(new Date(Number.NaN)), RangeError);
  });
});
