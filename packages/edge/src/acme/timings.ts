import { setTimeout as sleep } from "node:timers/promises";

export interface Timings {
  /** From the first octet sent to the last one read; connecting has its own limit in `fetch`. */
  readonly requestTimeoutMs: number;
  /** Tries of a request that met a 5xx or no answer. */
  readonly tries: number;
  /** Before the second try, doubled before the third. */
  readonly retryPauseMs: number;
  /** A CA's Retry-After up to this is waited for; a longer one is the caller's business. */
  readonly longestPauseMs: number;
  readonly nonceTries: number;
  readonly noncePauseMs: number;
  readonly firstPollMs: number;
  readonly longestPollMs: number;
  /** How long one call waits for an authorization or an order. */
  readonly pollTimeoutMs: number;
}

/**
 * Ten tries against rejected nonces lose one request in a thousand when half of all are rejected.
 * Polls start short, because a visitor may be waiting and a CA that is near answers at once; the
 * doubling leaves a slow one with a handful more. Up to ten seconds, unless it names its own pause.
 */
export const productionTimings: Timings = {
  requestTimeoutMs: 20_000,
  tries: 3,
  retryPauseMs: 1_000,
  longestPauseMs: 10_000,
  nonceTries: 10,
  noncePauseMs: 250,
  firstPollMs: 25,
  longestPollMs: 10_000,
  pollTimeoutMs: 120_000,
};

/** Rejects with the signal's reason when it aborts. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const realWait: Wait = async (ms, signal) => {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};
