/** How many at once, and how many more each second. */
export interface BucketLimit {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * A rate with a burst: full at first, it gains `perSecond` tokens a second up to `burst`. The limit
 * is an argument of each call because it may change, for example with the number of processes that
 * share it. Times are of one clock; a clock that is set back gains nothing. It has no timer, so
 * that dropping a full bucket and making another changes nothing.
 */
export class TokenBucket {
  #tokens: number;
  #refilledAtMs: number;

  constructor(burst: number, nowMs: number) {
    this.#tokens = burst;
    this.#refilledAtMs = nowMs;
  }

  /** The tokens at `nowMs`, a fraction included. */
  refill({ burst, perSecond }: BucketLimit, nowMs: number): number {
    const gained = (Math.max(0, nowMs - this.#refilledAtMs) / 1_000) * perSecond;
    this.#tokens = Math.min(burst, this.#tokens + gained);
    this.#refilledAtMs = nowMs;
    return this.#tokens;
  }

  /**
   * Takes a token, or several. The caller has seen that they are there; the next call of `refill`
   * adds to what is left.
   */
  take(count = 1): void {
    this.#tokens -= count;
  }
}
