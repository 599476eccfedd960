import { TokenBucket } from "@mooring/concurrency";
import type { SharedReads } from "../http/read-budget.ts";

/**
 * By the costs of a read, 10 to 120 ms of the processor at once, and a part of it for good: many
 * connections that wait and then flood, each within its own budget, stall nobody for long.
 */
const limit = { burst: 10_000, perSecond: 30_000 };

export function createSharedReads(clock: () => number = () => performance.now()): SharedReads {
  const bucket = new TokenBucket(limit.burst, clock());
  return {
    spend(reads) {
      if (bucket.refill(limit, clock()) < reads) return false;
      bucket.take(reads);
      return true;
    },
  };
}
