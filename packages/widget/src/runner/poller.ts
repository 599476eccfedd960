/** What polling needs of the world; tests replace it. */
export interface PollEnvironment {
  readonly setTimeout: (run: () => void, ms: number) => number;
  readonly clearTimeout: (timer: number) => void;
  readonly isHidden: () => boolean;
  readonly isOnline: () => boolean;
}

/** After the first, second … look; then always the last. People watch at first, and less later. */
const pausesMs = [2_000, 2_000, 3_000, 4_000, 5_000, 7_000, 10_000, 15_000, 20_000] as const;
const longestMs = 60_000;

/** A failed look waits longer, and as long as the service asks. */
export function pauseAfter(looks: number, retryAfterSeconds: number | null): number {
  const usual = pausesMs[Math.min(looks, pausesMs.length - 1)] ?? longestMs;
  return Math.max(usual, Math.min((retryAfterSeconds ?? 0) * 1_000, longestMs));
}

export interface Poller {
  /** Polls from now on with this; the key says whether it is the same as before. */
  watch(key: string | null, look: () => Promise<number | null>): void;
  /** Looks now, and often again. */
  nudge(): void;
  /** The tab was shown, or the line is back. */
  wake(): void;
  stop(): void;
}

/**
 * One look at a time, never in a hidden tab or without a line. A look resolves to the seconds that
 * the service wants to be left alone, or null; it never rejects.
 */
export function createPoller(world: PollEnvironment): Poller {
  let key: string | null = null;
  let look: () => Promise<number | null> = async () => null;
  let timer: number | null = null;
  let looks = 0;
  let isLooking = false;
  let isNudged = false;

  const clear = () => {
    if (timer !== null) world.clearTimeout(timer);
    timer = null;
  };
  const schedule = (ms: number) => {
    clear();
    if (key === null) return;
    timer = world.setTimeout(() => {
      timer = null;
      void run();
    }, ms);
  };
  const run = async () => {
    // Waking up starts it again.
    if (key === null || isLooking || world.isHidden() || !world.isOnline()) return;
    isLooking = true;
    const retryAfter = await look();
    isLooking = false;
    const isDue = isNudged;
    isNudged = false;
    schedule(isDue ? 0 : pauseAfter(looks, retryAfter));
    looks += 1;
  };
  const soon = () => {
    looks = 0;
    if (isLooking) isNudged = true;
    else schedule(0);
  };
  return {
    watch(nextKey, nextLook) {
      look = nextLook;
      if (nextKey === key) return;
      key = nextKey;
      looks = 0;
      if (key === null) clear();
      else if (!isLooking) schedule(pauseAfter(0, null));
    },
    nudge: soon,
    wake() {
      if (key !== null && timer === null && !isLooking) soon();
      else if (key !== null && timer !== null) schedule(0);
    },
    stop() {
      key = null;
      clear();
    },
  };
}
