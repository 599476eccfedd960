import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createProcessorShares, type ProcessorShares } from "./processor-shares.ts";

/** Shares whose ticks the test begins. */
function startTicks(): { readonly shares: ProcessorShares; readonly tick: () => void } {
  const scheduled: (() => void)[] = [];
  const shares = createProcessorShares((run) => scheduled.push(run));
  return { shares, tick: () => scheduled.shift()?.() };
}

describe("createProcessorShares", () => {
  it("lets one application read until its share of the tick is used, and again in the next", () => {
    const { shares, tick } = startTicks();
    const resumed: string[] = [];
    const read = (name: string) => shares.spend("a", 1, () => resumed.push(name));
    assert.deepEqual([read("1"), read("2"), read("3"), read("4")], [true, true, true, false]);
    assert.deepEqual(resumed, []);
    tick();
    assert.deepEqual(resumed, ["4"]);
    assert.equal(read("5"), true);
  });

  it("resumes as many as their reads fit, those first that have waited longest", () => {
    const { shares, tick } = startTicks();
    const resumed: number[] = [];
    for (let number = 0; number < 40; number += 1) {
      shares.spend("a", 1, () => resumed.push(number));
    }
    const rounds: number[] = [];
    while (resumed.length < 37) {
      const before = resumed.length;
      tick();
      rounds.push(resumed.length - before);
    }
    assert.deepEqual(
      resumed,
      Array.from({ length: 37 }, (_, index) => index + 3),
    );
    assert.ok(
      rounds.every((count) => count === 4 || count === 1),
      String(rounds),
    );
  });

  it("divides a tick among applications, and one that waits stops no other", () => {
    const { shares, tick } = startTicks();
    const resumed: string[] = [];
    for (const application of ["a", "b", "c", "d"]) {
      shares.spend(application, 0.1, () => resumed.push(application));
    }
    assert.equal(
      shares.spend("a", 1, () => resumed.push("a")),
      false,
    );
    assert.equal(
      shares.spend("b", 0.1, () => resumed.push("b")),
      true,
    );
    tick();
    assert.deepEqual(resumed, ["a"]);
  });

  it("lets a read that costs more than a share through, one at a time", () => {
    const { shares, tick } = startTicks();
    const resumed: number[] = [];
    for (const number of [1, 2]) shares.spend("a", 50, () => resumed.push(number));
    tick();
    assert.deepEqual(resumed, [1]);
    tick();
    assert.deepEqual(resumed, [1, 2]);
  });
});
