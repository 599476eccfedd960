import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPoller, pauseAfter } from "./poller.ts";

/** A poller with a fake clock; each poll finishes immediately. */
function createTestPoller() {
  const timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  const clock = { now: 0, isHidden: false, isOnline: true, polls: [] as number[], last: 0 };
  const settle = async () => {
    for (let tick = 0; tick < 5; tick += 1) await Promise.resolve();
  };
  const poller = createPoller({
    setTimeout(run, ms) {
      clock.last += 1;
      timers.set(clock.last, { at: clock.now + ms, run });
      return clock.last;
    },
    clearTimeout: (timer) => void timers.delete(timer),
    isHidden: () => clock.isHidden,
    isOnline: () => clock.isOnline,
  });
  const advance = async (ms: number) => {
    const end = clock.now + ms;
    for (;;) {
      const next = [...timers].sort(([, a], [, b]) => a.at - b.at)[0];
      if (next === undefined || next[1].at > end) break;
      clock.now = next[1].at;
      timers.delete(next[0]);
      next[1].run();
      await settle();
    }
    clock.now = end;
  };
  const poll = async () => {
    clock.polls.push(clock.now);
    return null;
  };
  return { clock, poller, advance, poll, timers };
}

describe("polling", () => {
  it("slows down to the longest pause of the schedule", async () => {
    const { clock, poller, advance, poll } = createTestPoller();
    poller.watch("a", poll);
    await advance(120_000);
    const gaps = clock.polls.map((at, index) => at - (clock.polls[index - 1] ?? 0));
    assert.deepEqual(
      gaps.slice(0, 9),
      [2_000, 2_000, 2_000, 3_000, 4_000, 5_000, 7_000, 10_000, 15_000],
    );
    assert.ok(gaps.every((gap) => gap <= 20_000));
  });

  it("pauses in a hidden tab and offline, and polls immediately afterwards", async () => {
    const { clock, poller, advance, poll } = createTestPoller();
    poller.watch("a", poll);
    await advance(2_000);
    for (const rest of ["isHidden", "isOnline"] as const) {
      clock[rest] = rest === "isHidden";
      const count = clock.polls.length;
      await advance(600_000);
      assert.equal(clock.polls.length, count);
      clock[rest] = rest !== "isHidden";
      poller.wake();
      await advance(0);
      assert.equal(clock.polls.length, count + 1);
    }
  });

  it("polls immediately when nudged, also while a poll is in flight", async () => {
    const { clock, poller, advance } = createTestPoller();
    let finish: () => void = () => undefined;
    poller.watch("a", () => {
      clock.polls.push(clock.now);
      return new Promise((resolve) => {
        finish = () => resolve(null);
      });
    });
    poller.nudge();
    await advance(0);
    poller.nudge();
    finish();
    await advance(0);
    await advance(0);
    assert.equal(clock.polls.length, 2);
  });

  it("stops when there is nothing to watch, and leaves no timer", async () => {
    const { clock, poller, advance, poll, timers } = createTestPoller();
    poller.watch("a", poll);
    poller.watch(null, poll);
    poller.nudge();
    await advance(60_000);
    assert.deepEqual([clock.polls.length, timers.size], [0, 0]);
    poller.watch("b", poll);
    poller.stop();
    assert.equal(timers.size, 0);
  });

  it("waits for the service's Retry-After, up to a minute", () => {
    assert.equal(pauseAfter(0, 30), 30_000);
    assert.equal(pauseAfter(0, 3_600), 60_000);
    assert.equal(pauseAfter(99, null), 20_000);
  });
});
