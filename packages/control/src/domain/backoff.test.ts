import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testConnection } from "@mooring/testing/control/connection";
import { liveIntervalMs, nextCheckMs } from "./backoff.ts";
import type { Connection } from "./connections/connection.ts";

const hour = 3_600_000;
const day = 24 * hour;
const now = new Date("2026-11-15T12:00:00Z");

describe("the interval of the checks of a live name", () => {
  const interval = (
    daysWell: number,
    changes: Partial<Connection> = {},
    longMs: number | null = null,
  ) =>
    liveIntervalMs(
      testConnection({
        state: "live",
        phaseStartedAt: new Date(now.getTime() - daysWell * day),
        errorCode: null,
        ...changes,
      }),
      now,
      { shortMs: hour, longMs },
    );

  it("grows from one hour to six while the name is well, and no further", () => {
    const intervals = [0, 6, 12, 30, 400].map((days) => interval(days) / hour);
    assert.deepEqual(intervals, [1, 2, 3, 6, 6]);
  });

  it("is the short one with trouble, after a miss, and while the name is contested", () => {
    const contest = { since: now, deadline: now };
    assert.equal(interval(60, { errorCode: "origin_unreachable" }), hour);
    assert.equal(interval(60, { misses: 1 }), hour);
    assert.equal(interval(60, { contest }), hour);
    assert.equal(interval(60, { state: "drifted" }), hour);
  });

  it("is what the operator sets, and never shorter than for a new name", () => {
    assert.equal(interval(30, {}, 12 * hour), 12 * hour);
    assert.equal(interval(30, {}, hour / 2), hour);
  });
});

describe("the pause before the next check of a drifted name", () => {
  const pauses = (state: Connection["state"], checks: readonly number[]) =>
    checks.map((count) => nextCheckMs(state, count, { recheckIntervalMs: hour, isSandbox: false }));

  it("is that of a name whose records are awaited, and five minutes from the first hour on", () => {
    const first = Array.from({ length: 25 }, (_, index) => index);
    assert.deepEqual(pauses("drifted", first), pauses("propagating", first));
    assert.deepEqual(pauses("drifted", [0, 1, 2, 3, 4]), [5_000, 10_000, 20_000, 40_000, 60_000]);
    assert.deepEqual(pauses("drifted", [30, 1_000]), [300_000, 300_000]);
  });
});
