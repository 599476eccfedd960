import { setTimeout as delay } from "node:timers/promises";

const longestPauseMs = 50;

/**
 * Waits until the condition holds. Polls after 1 ms, then with doubled pauses of at most 50 ms, and
 * fails with `what` was waited for when the time has passed.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what = "a condition",
  withinMs = 60_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (let pauseMs = 1; !(await condition()); pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms for ${what}`);
    await delay(pauseMs);
  }
}
