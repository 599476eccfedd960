import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TokenBucket } from "./token-bucket.ts";

const limit = { burst: 3, perSecond: 2 };

describe("TokenBucket", () => {
  it("is full at first, and gains its rate up to its burst", () => {
    const bucket = new TokenBucket(limit.burst, 0);
    assert.equal(bucket.refill(limit, 60_000), 3);
    for (let taken = 0; taken < 3; taken += 1) bucket.take();
    assert.equal(bucket.refill(limit, 60_000), 0);
    assert.equal(bucket.refill(limit, 60_250), 0.5);
    assert.equal(bucket.refill(limit, 60_500), 1);
    assert.equal(bucket.refill(limit, 90_000), 3);
  });

  it("follows a limit that changes", () => {
    const bucket = new TokenBucket(limit.burst, 0);
    assert.equal(bucket.refill({ burst: 1, perSecond: 2 }, 0), 1);
    bucket.take();
    assert.equal(bucket.refill({ burst: 10, perSecond: 5 }, 1_000), 5);
  });

  it("gains nothing from a clock that is set back", () => {
    const bucket = new TokenBucket(limit.burst, 10_000);
    bucket.take();
    assert.equal(bucket.refill(limit, 4_000), 2);
    assert.equal(bucket.refill(limit, 4_250), 2.5);
  });

  it("never lets more than the burst and the rate pass in any time", () => {
    const bucket = new TokenBucket(limit.burst, 0);
    let passed = 0;
    for (let nowMs = 0; nowMs <= 10_000; nowMs += 7) {
      if (bucket.refill(limit, nowMs) < 1) continue;
      bucket.take();
      passed += 1;
    }
    assert.ok(passed <= 3 + 2 * 10 && passed >= 2 * 10, `${passed}`);
  });
});
