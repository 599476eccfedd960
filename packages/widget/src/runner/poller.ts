/** Timers and browser state; tests replace them. */
export interface PollEnvironment {
  readonly setTimeout: (run: () => void, ms: number) => number;
  readonly clearTimeout: (timer: number) => void;
  readonly isHidden: () => boolean;
  readonly isOnline: () => boolean;
}

/** The pause after the first, second … poll; then the last. People watch closely only at first. */
const pausesMs = [2_000, 2_000, 3_000, 4_000, 5_000, 7_000, 10_000, 15_000, 20_000] as const;
const maxPauseMs = 60_000;

/** The pause after `polls` earlier polls, extended to the service's Retry-After. */
export function pauseAfter(polls: number, retryAfterSeconds: number | null): number {
  const usual = pausesMs[Math.min(polls, pausesMs.length - 1)] ?? maxPauseMs;
  return Math.max(usual, Math.min((retryAfterSeconds ?? 0) * 1_000, maxPauseMs));
}

export interface Poller {
  /** Polls with this function. Another key restarts the schedule; null stops polling. */
  watch(key: string | null, poll: () => Promise<number | null>): void;
  /** Polls now and restarts the schedule. */
  nudge(): void;
  /** Polls now, after the tab was shown or the network returned. */
  wake(): void;
  stop(): void;
}

/**
 * Runs one poll at a time, never in a hidden tab or offline. A poll resolves to the seconds of the
 * service's Retry-After, or null; it never rejects.
 */
export function createPoller(environment: PollEnvironment): Poller {
  let key: string | null = null;
  let poll: () => Promise<number | null> = async () => null;
  let timer: number | null = null;
  let polls = 0;
  let isPolling = false;
  let isNudged = false;

  const clear = () => {
    if (timer !== null) environment.clearTimeout(timer);
    timer = null;
  };
  const schedule = (ms: number) => {
    clear();
    if (key === null) return;
    timer = environment.setTimeout(() => {
      timer = null;
      void run();
    }, ms);
  };
  const run = async () => {
    // `wake` resumes polling.
    if (key === null || isPolling || environment.isHidden() || !environment.isOnline()) return;
    isPolling = true;
    const retryAfter = await poll();
    isPolling = false;
    const isDue = isNudged;
    isNudged = false;
    schedule(isDue ? 0 : pauseAfter(polls, retryAfter));
    polls += 1;
  };
  const soon = () => {
    polls = 0;
    if (isPolling) isNudged = true;
    else schedule(0);
  };
  return {
    watch(nextKey, nextPoll) {
      poll = nextPoll;
      if (nextKey === key) return;
      key = nextKey;
      polls = 0;
      if (key === null) clear();
      else if (!isPolling) schedule(pauseAfter(0, null));
    },
    nudge: soon,
    wake() {
      if (key !== null && timer === null && !isPolling) soon();
      else if (key !== null && timer !== null) schedule(0);
    },
    stop() {
      key = null;
      clear();
    },
  };
}
