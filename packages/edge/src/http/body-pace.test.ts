import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BodyPace } from "./body-pace.ts";

const limits = { stallMs: 60_000, bodyBytesPerSecond: 500 };

describe("BodyPace", () => {
  it("does not count the time before the body is read", () => {
    const pace = new BodyPace(limits);
    assert.equal(pace.isTooSlow(1_000_000), false);
    pace.wait(1_000_000);
    pace.received(1, 1_000_001);
    assert.equal(pace.isTooSlow(1_000_002), false);
  });

  it("allows a stall up to the limit, and none longer", () => {
    const pace = new BodyPace(limits);
    pace.wait(0);
    assert.equal(pace.isTooSlow(59_000), false);
    pace.received(100_000, 59_500);
    assert.equal(pace.isTooSlow(119_000), false);
    assert.equal(pace.isTooSlow(119_501), true);
  });

  it("measures the rate from the first byte, in windows as long as a stall may last", () => {
    const pace = new BodyPace(limits);
    pace.wait(0);
    for (let second = 50; second <= 109; second += 1) {
      pace.received(499, second * 1_000);
      assert.equal(pace.isTooSlow(second * 1_000), false);
    }
    pace.received(1, 110_000);
    assert.equal(pace.isTooSlow(110_000), true);
  });

  it("is content with the least rate, for any time", () => {
    const pace = new BodyPace(limits);
    pace.wait(0);
    for (let second = 0; second <= 1_000; second += 1) {
      pace.received(505, second * 1_000);
      assert.equal(pace.isTooSlow(second * 1_000), false);
    }
  });

  it("does not count the time in which nothing was read", () => {
    const pace = new BodyPace(limits);
    pace.wait(0);
    pace.received(10, 1);
    for (let at = 1_000; at < 1_000_000; at += 10_000) {
      pace.pause(at);
      assert.equal(pace.isTooSlow(at + 9_000), false);
      pace.wait(at + 9_990);
      pace.received(10, at + 9_999);
    }
  });
});
