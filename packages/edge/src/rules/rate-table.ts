import { TokenBucket } from "@mooring/concurrency";

/** So many at once, and as many more in that time. */
export interface RateLimit {
  readonly requests: number;
  readonly perSeconds: number;
}

/**
 * Requests by key, each under the limit of its caller, in a fixed number of buckets. The key that
 * was used least lately makes room for a new one and begins again with a full bucket: a
 * visitor who wants that needs requests under as many other keys as there are buckets.
 */
export interface RateTable {
  /** Takes one; 0, or the milliseconds until there is one. */
  take(key: string, limit: RateLimit, nowMs: number): number;
  readonly size: number;
}

/** About 20 MB when all are used. */
const defaultBuckets = 100_000;

export function createRateTable(most = defaultBuckets): RateTable {
  const buckets = new Map<string, TokenBucket>();
  return {
    take(key, { requests, perSeconds }, nowMs) {
      const limit = { burst: requests, perSecond: requests / perSeconds };
      const bucket = buckets.get(key) ?? new TokenBucket(requests, nowMs);
      // In the order of their use.
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > most) {
        for (const oldest of buckets.keys()) {
          buckets.delete(oldest);
          break;
        }
      }
      const tokens = bucket.refill(limit, nowMs);
      if (tokens < 1) return waitFor((1 - tokens) / limit.perSecond);
      bucket.take();
      return 0;
    },
    get size() {
      return buckets.size;
    },
  };
}

/** In whole milliseconds; what fractions lose by rounding is no further one. */
function waitFor(seconds: number): number {
  return Math.max(1, Math.ceil(seconds * 1_000 - 0.001));
}
