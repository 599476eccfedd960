import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRestartDelays, settledAfterMs } from "./restart-delays.ts";

describe("createRestartDelays", () => {
  function open() {
    let nowMs = 1_000;
    const delays = createRestartDelays(undefined, () => nowMs);
    const ranFor = (ms: number): number => {
      delays.ready();
      nowMs += ms;
      return delays.ended();
    };
    return { delays, ranFor };
  }

  it("restarts within two seconds what was ready, however often it is killed", () => {
    const { ranFor } = open();
    const waits = Array.from({ length: 50 }, () => ranFor(1));
    assert.deepEqual(waits.slice(0, 6), [100, 250, 500, 1_000, 2_000, 2_000]);
    assert.equal(Math.max(...waits), 2_000);
  });

  it("begins with the first delay again after some seconds of work", () => {
    const { ranFor } = open();
    for (let kills = 0; kills < 10; kills += 1) ranFor(1);
    assert.equal(ranFor(settledAfterMs - 1), 2_000);
    assert.equal(ranFor(settledAfterMs), 100);
    assert.equal(ranFor(1), 250);
  });

  it("waits longer and longer for what ends before it is ready, until one is", () => {
    const { delays, ranFor } = open();
    assert.equal(ranFor(1), 100);
    const waits = Array.from({ length: 7 }, () => delays.ended());
    assert.deepEqual(waits, [500, 1_000, 2_000, 5_000, 10_000, 30_000, 30_000]);
    assert.equal(ranFor(1), 250);
    assert.equal(delays.ended(), 500);
  });
});
