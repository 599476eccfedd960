import { setTimeout as delay } from "node:timers/promises";

const everyMs = 50;
const withinMs = 60_000;

/** Waits for a condition; fails when it has not come true within a minute. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error("the condition did not come true in time");
    await delay(everyMs);
  }
}
