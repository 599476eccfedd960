/** Workers that run and do nothing: visitors would wait for them without end. */
export interface SilentWorkers {
  /** The worker has sent something; from its first message on it has to continue. */
  received(pid: number): void;
  ended(pid: number): void;
  /** Reports those that have been silent for too long, each once. */
  check(): void;
}

/** Each sends its metrics every second. */
const longestSilenceMs = 10_000;
/** Called at intervals of a second; after a longer one it was this process that stood still. */
const longestIntervalMs = 3_000;

export function createSilentWorkers(
  onSilent: (pid: number, silentMs: number) => void,
  nowMs: () => number = () => performance.now(),
): SilentWorkers {
  const lastAt = new Map<number, number>();
  let checkedAt = nowMs();
  return {
    received: (pid) => void lastAt.set(pid, nowMs()),
    ended: (pid) => void lastAt.delete(pid),
    check() {
      const now = nowMs();
      const hasPaused = now - checkedAt > longestIntervalMs;
      checkedAt = now;
      for (const [pid, at] of lastAt) {
        if (hasPaused) lastAt.set(pid, now);
        else if (now - at > longestSilenceMs) {
          lastAt.delete(pid);
          onSilent(pid, Math.round(now - at));
        }
      }
    },
  };
}
