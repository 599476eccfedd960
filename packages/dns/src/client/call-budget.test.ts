import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { withinBudget } from "./call-budget.ts";

/** Ends only by its signal, with its reason. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

describe("withinBudget", () => {
  test("says timeout when the budget is spent", async () => {
    const { signal } = new AbortController();
    const reply = await withinBudget(5, signal, untilAborted);
    assert.deepEqual(reply, { outcome: "failed", reason: "timeout" });
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  test("rejects with the caller's reason when the caller goes, before or meanwhile", async () => {
    const controller = new AbortController();
    const running = withinBudget(60_000, controller.signal, untilAborted);
    controller.abort(new Error("no longer wanted"));
    await assert.rejects(running, /no longer wanted/);
    const tooLate = withinBudget(60_000, controller.signal, () => assert.fail("must not run"));
    await assert.rejects(tooLate, /no longer wanted/);
  });

  test("passes on results and errors, and leaves no listener behind", async () => {
    const { signal } = new AbortController();
    assert.equal(await withinBudget(60_000, signal, async () => 7), 7);
    const broken = withinBudget(60_000, signal, () => Promise.reject(new Error("broken")));
    await assert.rejects(broken, /broken/);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  test("shares one listener among calls that start together, and ends each of them", async () => {
    const { signal } = new AbortController();
    const calls = Array.from({ length: 100 }, () => withinBudget(40, signal, untilAborted));
    assert.ok(getEventListeners(signal, "abort").length < 100);
    const timeout = { outcome: "failed", reason: "timeout" };
    assert.deepEqual(await Promise.all(calls), Array(100).fill(timeout));
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  test("gives a later call its own time", async () => {
    const { signal } = new AbortController();
    const first = withinBudget(40, signal, untilAborted);
    await new Promise((resolve) => setTimeout(resolve, 20));
    let hasEnded = false;
    const second = withinBudget(40, signal, untilAborted).finally(() => {
      hasEnded = true;
    });
    await first;
    assert.equal(hasEnded, false);
    await second;
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });
});
