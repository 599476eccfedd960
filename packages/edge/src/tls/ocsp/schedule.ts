/** The first pause after a failure; each further failure doubles it. */
const firstPauseMs = 60_000;
const longestPauseMs = 3_600_000;
/** However soon a response ends, its responder is not asked more often. */
const shortestMs = 60_000;

/**
 * When a response that ends at `staleAt` is replaced: at half of the time that is left, or up to a
 * fifth before.
 */
export function refreshAfter(now: Date, staleAt: Date, random: () => number): Date {
  const halfMs = (staleAt.getTime() - now.getTime()) / 2;
  return new Date(now.getTime() + Math.max(shortestMs, halfMs * earlier(random)));
}

/** When the responder is asked again after this many failures in a row. */
export function retryAfter(now: Date, failures: number, random: () => number): Date {
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 10));
  return new Date(now.getTime() + pauseMs * earlier(random));
}

/** Spreads edges and certificates that began together. */
function earlier(random: () => number): number {
  return 1 - random() / 5;
}
