import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { createRateLimiter } from "./rate-limit.ts";

function limiterAt(startMs = 0) {
  let now = startMs;
  return {
    limiter: createRateLimiter(() => now),
    advance: (ms: number) => {
      now += ms;
    },
  };
}

describe("token buckets", () => {
  it("allow the burst, then refuse until one token has come back", () => {
    const { limiter, advance } = limiterAt();
    const limit = { perSecond: 0.5, burst: 5 };
    const remaining = [1, 2, 3, 4, 5].map(() => limiter.take("a", limit).remaining);
    assert.deepEqual(remaining, [4, 3, 2, 1, 0]);
    const refused = { allowed: false, waitMs: 0, remaining: 0 };
    assert.deepEqual(limiter.take("a", limit), { ...refused, resetSeconds: 2 });
    advance(1_999);
    assert.deepEqual(limiter.take("a", limit), { ...refused, resetSeconds: 1 });
    advance(1);
    assert.equal(limiter.take("a", limit).allowed, true);
    assert.equal(limiter.take("a", limit).allowed, false);
  });

  it("give those who wait the tokens to come, one after the other, and refuse the rest", () => {
    const { limiter, advance } = limiterAt();
    const limit = { perSecond: 2, burst: 1 };
    const take = () => limiter.take("a", limit, 2_000);
    const waits = [1, 2, 3, 4, 5].map(() => take().waitMs);
    assert.deepEqual(waits, [0, 500, 1_000, 1_500, 2_000]);
    assert.deepEqual(take(), { allowed: false, waitMs: 0, remaining: 0, resetSeconds: 3 });
    advance(500);
    assert.equal(take().waitMs, 2_000);
    assert.equal(limiter.take("a", limit).allowed, false, "nobody passes those who wait");
    advance(2_000);
    assert.equal(limiter.take("a", limit).allowed, false);
    advance(500);
    assert.equal(limiter.take("a", limit).allowed, true);
  });

  it("never hold more than the burst, however long they rest", () => {
    const { limiter, advance } = limiterAt();
    const limit = { perSecond: 100, burst: 3 };
    advance(86_400_000);
    const allowed = Array.from({ length: 10 }, () => limiter.take("a", limit).allowed);
    assert.equal(allowed.filter(Boolean).length, 3);
  });

  it("do not share between names", () => {
    const { limiter } = limiterAt();
    const limit = { perSecond: 1, burst: 1 };
    assert.equal(limiter.take("a", limit).allowed, true);
    assert.equal(limiter.take("b", limit).allowed, true);
    assert.equal(limiter.take("a", limit).allowed, false);
  });

  it("are not emptied by peek", () => {
    const { limiter } = limiterAt();
    const limit = { perSecond: 1, burst: 1 };
    for (let count = 0; count < 10; count += 1)
      assert.equal(limiter.peek("a", limit).allowed, true);
    assert.equal(limiter.take("a", limit).allowed, true);
    assert.equal(limiter.peek("a", limit).allowed, false);
  });

  it("let through at most burst + rate × time, whatever the rhythm", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 }),
        (perSecond, burst, gaps) => {
          const { limiter, advance } = limiterAt();
          let passed = 0;
          let elapsed = 0;
          for (const gap of gaps) {
            advance(gap);
            elapsed += gap;
            const { allowed, resetSeconds } = limiter.take("a", { perSecond, burst });
            if (allowed) passed += 1;
            else assert.ok(Number.isInteger(resetSeconds) && resetSeconds >= 1);
          }
          assert.ok(passed <= burst + (elapsed / 1_000) * perSecond + 1e-6);
        },
      ),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it("that are in use are not forgotten when a flood of names fills the memory", () => {
    const { limiter } = limiterAt();
    const limit = { perSecond: 0.001, burst: 1 };
    assert.equal(limiter.take("victim", limit).allowed, true);
    for (let name = 0; name < 120_000; name += 1) {
      limiter.take(`flood-${name}`, limit);
      if (name % 10_000 === 0) assert.equal(limiter.take("victim", limit).allowed, false);
    }
  });
});
