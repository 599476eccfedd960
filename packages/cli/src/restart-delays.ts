/** How long to wait before a process that has ended is started again. */
export interface RestartDelays {
  /** The process works. */
  ready(): void;
  /** It has ended, or could not start: how long to wait for the next start. */
  ended(): number;
}

export interface DelayTable {
  /** After one that was ready: a kill says nothing about the next start, so it comes soon. */
  readonly afterReadyMs: readonly number[];
  /** After one that never was: another attempt probably fails likewise. */
  readonly beforeReadyMs: readonly number[];
}

/** The last of each list is repeated. */
export const defaultDelays: DelayTable = {
  afterReadyMs: [100, 250, 500, 1_000, 2_000],
  beforeReadyMs: [500, 1_000, 2_000, 5_000, 10_000, 30_000],
};

/** One that was ready for this long restarts with the first delay again. */
export const settledAfterMs = 10_000;

export function createRestartDelays(
  { afterReadyMs, beforeReadyMs }: DelayTable = defaultDelays,
  nowMs: () => number = () => performance.now(),
): RestartDelays {
  let readyAt: number | null = null;
  let crashes = 0;
  let failedStarts = 0;
  return {
    ready() {
      readyAt = nowMs();
      failedStarts = 0;
    },
    ended() {
      if (readyAt === null) {
        failedStarts += 1;
        return pick(beforeReadyMs, failedStarts);
      }
      if (nowMs() - readyAt >= settledAfterMs) crashes = 0;
      readyAt = null;
      crashes += 1;
      return pick(afterReadyMs, crashes);
    },
  };
}

function pick(delaysMs: readonly number[], count: number): number {
  return delaysMs[Math.min(count, delaysMs.length) - 1] ?? 0;
}
