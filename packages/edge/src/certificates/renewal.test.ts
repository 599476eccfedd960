import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { renewAt, retryMs } from "./renewal.ts";

const day = 86_400_000;
const minute = 60_000;

function lifeOf(days: number): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: new Date(0), notAfter: new Date(days * day) };
}

describe("renewAt", () => {
  const table: readonly (readonly [days: number, random: number, dueOnDay: number])[] = [
    [90, 0, 60],
    [90, 1, 55.5],
    [45, 0, 30],
    [6, 0, 3],
    [6, 1, 2.7],
    [9.999, 0, 4.9995],
    [10, 0, 20 / 3],
  ];
  for (const [days, random, dueOnDay] of table) {
    it(`renews ${days} days with ${random} of the spread on day ${dueOnDay.toFixed(2)}`, () => {
      const due = renewAt(lifeOf(days), random).getTime() / day;
      assert.ok(Math.abs(due - dueOnDay) < 1e-6, `day ${due}`);
    });
  }

  it("is always inside the life, with at least a third of it left", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 400, noNaN: true }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (days, random) => {
          const life = lifeOf(days);
          const due = renewAt(life, random).getTime();
          const left = (life.notAfter.getTime() - due) / (days * day);
          return due > 0 && left >= 1 / 3 - 1e-6 && left <= 0.55 + 1e-6;
        },
      ),
    );
  });
});

describe("retryMs", () => {
  const table: readonly (readonly [failures: number, waitMs: number])[] = [
    [0, minute],
    [1, 10 * minute],
    [2, 100 * minute],
    [3, day],
    [4, day],
    [1_000, day],
  ];
  for (const [failures, waitMs] of table) {
    it(`waits ${waitMs / minute} minutes after ${failures} earlier failures, give or take a tenth`, () => {
      assert.equal(retryMs(failures, 0), waitMs * 0.9);
      assert.equal(retryMs(failures, 0.5), waitMs);
      assert.ok(retryMs(failures, 0.999_999) <= waitMs * 1.1);
    });
  }
});
