import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  firstAskMs,
  isWithdrawn,
  nextAskMs,
  type RenewalWindow,
  renewAt,
  retryMs,
  type Validity,
} from "./renewal.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

function lifeOf(days: number): Validity {
  return { notBefore: new Date(0), notAfter: new Date(days * day) };
}

function windowOf(startDay: number, endDay: number): RenewalWindow {
  return { start: new Date(startDay * day), end: new Date(endDay * day) };
}

const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const days = fc.double({ min: 0.01, max: 400, noNaN: true });

describe("renewAt without a window of the CA", () => {
  const table: readonly (readonly [days: number, random: number, dueOnDay: number])[] = [
    [90, 0, 60],
    [90, 1, 55.5],
    [45, 0, 30],
    [6, 0, 3],
    [6, 1, 2.7],
    [9.999, 0, 4.9995],
    [10, 0, 20 / 3],
  ];
  for (const [life, random, dueOnDay] of table) {
    it(`renews ${life} days with ${random} of the spread on day ${dueOnDay.toFixed(2)}`, () => {
      const due = renewAt(lifeOf(life), null, random).getTime() / day;
      assert.ok(Math.abs(due - dueOnDay) < 1e-6, `day ${due}`);
    });
  }

  it("is always inside the life, with at least a third of it left", () => {
    fc.assert(
      fc.property(days, unit, (life, random) => {
        const due = renewAt(lifeOf(life), null, random).getTime();
        const left = (life * day - due) / (life * day);
        // Both dates are whole milliseconds, which is more than 1e-6 of the shortest lifetime.
        const rounding = 2 / (life * day);
        return due > 0 && left >= 1 / 3 - rounding && left <= 0.55 + rounding;
      }),
    );
  });
});

describe("renewAt with a window of the CA's", () => {
  const dayOf = (life: number, window: RenewalWindow, random: number): number =>
    renewAt(lifeOf(life), window, random).getTime() / day;

  it("takes any time in the window", () => {
    assert.equal(dayOf(90, windowOf(55, 57), 0), 55);
    assert.equal(dayOf(90, windowOf(55, 57), 0.5), 56);
    assert.ok(dayOf(90, windowOf(55, 57), 0.999_999) < 57);
  });

  it("takes no time after the latest start", () => {
    assert.equal(dayOf(45, windowOf(28, 40), 0.5), 29);
  });

  it("renews by the latest start when the whole window is later", () => {
    assert.equal(dayOf(45, windowOf(40, 44), 0), 30);
  });

  it("is past, which means now, for a window that the CA has drawn into the past", () => {
    assert.ok(dayOf(90, windowOf(-3, -2), 0.5) < 0);
  });

  it("never leaves less than a third of the life, half of a short one, whatever the CA says", () => {
    fc.assert(
      fc.property(days, unit, fc.double({ min: -1, max: 2, noNaN: true }), unit, (life, ...of) => {
        const [random, start, length] = of;
        const window = windowOf(start * life, (start + Math.max(length, 1e-3)) * life);
        const left = 1 - dayOf(life, window, random) / life;
        return left >= (life < 10 ? 1 / 2 : 1 / 3) - 1e-6;
      }),
    );
  });

  it("draws times in the window uniformly", () => {
    const counts = [0, 0, 0, 0];
    for (let step = 0; step < 4_000; step += 1) {
      const at = dayOf(90, windowOf(40, 44), step / 4_000);
      counts[Math.floor(at - 40)] = (counts[Math.floor(at - 40)] ?? 0) + 1;
    }
    assert.deepEqual(counts, [1_000, 1_000, 1_000, 1_000]);
  });
});

describe("isWithdrawn", () => {
  it("is for a window that ended before the certificate's time, and for no other", () => {
    const now = new Date(10 * day);
    assert.equal(isWithdrawn(lifeOf(45), windowOf(8, 9), now), true);
    assert.equal(isWithdrawn(lifeOf(45), windowOf(8, 11), now), false);
    assert.equal(isWithdrawn(lifeOf(45), windowOf(28, 29), new Date(31 * day)), false);
  });
});

describe("how often a CA is asked", () => {
  it("is first after six hours, sooner in a short life, give or take a fifth", () => {
    assert.equal(firstAskMs(lifeOf(45), 0.5), 6 * hour);
    assert.equal(firstAskMs(lifeOf(45), 0), 288 * minute);
    assert.equal(firstAskMs(lifeOf(1), 0.5), hour);
  });

  it("is never before the pause that the CA asked for has ended, nor later than a day", () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 86_400 }), unit, (seconds, random) => {
        const pause = nextAskMs(seconds, random);
        return pause >= seconds * 1_000 && pause <= Math.min(seconds * 1_200, day);
      }),
    );
  });

  it("is about an hour after no answer", () => {
    assert.equal(nextAskMs(null, 0.5), hour);
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
      assert.equal(retryMs(failures, 0, null), waitMs * 0.9);
      assert.equal(retryMs(failures, 0.5, null), waitMs);
      assert.ok(retryMs(failures, 0.999_999, null) <= waitMs * 1.1);
    });
  }

  it("leaves a served certificate six more tries before its end, as long as an hour is left", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 50 }), unit, (failures, random) => {
        for (const leftMs of [70 * minute, 6 * hour, 2 * day, 15 * day]) {
          let left = leftMs;
          for (let tries = 0; tries < 6; tries += 1) left -= retryMs(failures, random, left);
          if (left <= 0) return false;
        }
        return true;
      }),
    );
  });

  it("tries an expired one four times a day", () => {
    assert.equal(retryMs(9, 0.5, -day), 6 * hour);
  });
});
