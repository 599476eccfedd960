import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPoller, pauseAfter } from "./poller.ts";

/** A clock that is moved by hand; looks end at once. */
function createWorld() {
  const timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  const world = { now: 0, isHidden: false, isOnline: true, looks: [] as number[], last: 0 };
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  const poller = createPoller({
    setTimeout(run, ms) {
      world.last += 1;
      timers.set(world.last, { at: world.now + ms, run });
      return world.last;
    },
    clearTimeout: (timer) => void timers.delete(timer),
    isHidden: () => world.isHidden,
    isOnline: () => world.isOnline,
  });
  const advance = async (ms: number) => {
    const until = world.now + ms;
    for (;;) {
      const next = [...timers].sort(([, a], [, b]) => a.at - b.at)[0];
      if (next === undefined || next[1].at > until) break;
      world.now = next[1].at;
      timers.delete(next[0]);
      next[1].run();
      await settle();
    }
    world.now = until;
  };
  const look = async () => {
    world.looks.push(world.now);
    return null;
  };
  return { world, poller, advance, look, timers };
}

describe("polling", () => {
  it("looks less and less often, and never more seldom than promised", async () => {
    const { world, poller, advance, look } = createWorld();
    poller.watch("a", look);
    await advance(120_000);
    const gaps = world.looks.map((at, index) => at - (world.looks[index - 1] ?? 0));
    assert.deepEqual(
      gaps.slice(0, 9),
      [2_000, 2_000, 2_000, 3_000, 4_000, 5_000, 7_000, 10_000, 15_000],
    );
    assert.ok(gaps.every((gap) => gap <= 20_000));
  });

  it("rests in a hidden tab and without a line, and looks at once on return", async () => {
    const { world, poller, advance, look } = createWorld();
    poller.watch("a", look);
    await advance(2_000);
    for (const rest of ["isHidden", "isOnline"] as const) {
      world[rest] = rest === "isHidden";
      const count = world.looks.length;
      await advance(600_000);
      assert.equal(world.looks.length, count);
      world[rest] = rest !== "isHidden";
      poller.wake();
      await advance(0);
      assert.equal(world.looks.length, count + 1);
    }
  });

  it("looks at once when it is asked to, also while a look is under way", async () => {
    const { world, poller, advance } = createWorld();
    let finish: () => void = () => undefined;
    poller.watch("a", () => {
      world.looks.push(world.now);
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
    assert.equal(world.looks.length, 2);
  });

  it("stops when nothing is to be watched, and leaves no timer", async () => {
    const { world, poller, advance, look, timers } = createWorld();
    poller.watch("a", look);
    poller.watch(null, look);
    poller.nudge();
    await advance(60_000);
    assert.deepEqual([world.looks.length, timers.size], [0, 0]);
    poller.watch("b", look);
    poller.stop();
    assert.equal(timers.size, 0);
  });

  it("leaves the service alone for as long as it asks, up to a minute", () => {
    assert.equal(pauseAfter(0, 30), 30_000);
    assert.equal(pauseAfter(0, 3_600), 60_000);
    assert.equal(pauseAfter(99, null), 20_000);
  });
});
