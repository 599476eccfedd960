import { setTimeout as delay } from "node:timers/promises";

const longestPauseMs = 50;

/** How many times longer than on an idle machine to wait; the test command measures it. */
const waitFactor = Number(process.env["TEST_WAIT_FACTOR"] ?? 1);

/** The bound of every wait that is not itself a promise; a soak does many times the work. */
export const longestWaitMs = Math.round(
  60_000 * waitFactor * (process.env["SOAK"] === "1" ? 10 : 1),
);

/**
 * Waits until the condition holds. Polls after 1 ms, then with doubled pauses of at most 50 ms, and
 * fails with `what` was waited for after `longestWaitMs`, or after `promisedMs` times the factor of
 * the machine.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what = "a condition",
  promisedMs?: number,
): Promise<void> {
  const boundMs = promisedMs === undefined ? longestWaitMs : promisedMs * waitFactor;
  const deadline = performance.now() + boundMs;
  for (let pauseMs = 1; !(await condition()); pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (performance.now() > deadline) throw new Error(`waited ${boundMs} ms for ${what}`);
    await delay(pauseMs);
  }
}

/** The result of work that has begun, which must end within the same bound. */
export async function inTime<T>(work: Promise<T>, what: string, promisedMs?: number): Promise<T> {
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
  };
  work.then(end, end);
  await until(() => hasEnded, what, promisedMs);
  return await work;
}
