import type { Limit } from "../config/values.ts";

/** Token buckets of this process, refilled continuously. Beyond 50,000 the longest idle is dropped. */
export interface RateLimiter {
  /** Takes one token, or says after how many seconds there will be one. */
  take(name: string, limit: Limit): RateDecision;
  /** Whether a token could be taken, without taking it. */
  peek(name: string, limit: Limit): RateDecision;
}

interface RateDecision {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Until the next token when refused, until full when allowed. */
  readonly resetSeconds: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const maxBuckets = 50_000;

export function createRateLimiter(nowMs: () => number = () => performance.now()): RateLimiter {
  const buckets = new Map<string, Bucket>();

  const refill = (name: string, limit: Limit): Bucket => {
    const now = nowMs();
    const bucket = buckets.get(name) ?? { tokens: limit.burst, at: now };
    bucket.tokens = Math.min(
      limit.burst,
      bucket.tokens + ((now - bucket.at) / 1_000) * limit.perSecond,
    );
    bucket.at = now;
    // Re-inserted, so that the map's order is the order of use and the first is the longest idle.
    buckets.delete(name);
    buckets.set(name, bucket);
    if (buckets.size > maxBuckets) {
      for (const oldest of buckets.keys()) {
        buckets.delete(oldest);
        break;
      }
    }
    return bucket;
  };

  const decide = (bucket: Bucket, limit: Limit, cost: 0 | 1): RateDecision => {
    if (bucket.tokens < 1) {
      const wait = Math.max(1, Math.ceil((1 - bucket.tokens) / limit.perSecond));
      return { allowed: false, remaining: 0, resetSeconds: wait };
    }
    bucket.tokens -= cost;
    return {
      allowed: true,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil((limit.burst - bucket.tokens) / limit.perSecond),
    };
  };

  return {
    take: (name, limit) => decide(refill(name, limit), limit, 1),
    peek: (name, limit) => decide(refill(name, limit), limit, 0),
  };
}
