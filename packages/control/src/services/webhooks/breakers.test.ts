import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Breakers, createBreakers } from "./breakers.ts";

function fakeClock() {
  let now = 1_000_000;
  return { nowMs: () => now, advance: (ms: number) => (now += ms) };
}

function attempts(breakers: Breakers, endpoint: string, results: readonly boolean[]): void {
  for (const ok of results) {
    breakers.attemptStarted(endpoint);
    breakers.attemptEnded(endpoint, ok);
  }
}

const failures = (count: number): boolean[] => Array<boolean>(count).fill(false);
const isCapped = (breakers: Breakers): boolean => breakers.capped().has("e");
const readLimit = (breakers: Breakers): number | undefined => breakers.capped().get("e");

describe("the breaker of an endpoint", () => {
  it("opens at 70 % failures of at least ten, and not before", () => {
    const few = createBreakers(fakeClock().nowMs);
    attempts(few, "e", failures(9));
    assert.equal(isCapped(few), false);
    attempts(few, "e", failures(1));
    assert.equal(readLimit(few), 0);
    const mixed = createBreakers(fakeClock().nowMs);
    attempts(mixed, "e", [true, true, true, true, ...failures(9)]);
    assert.equal(isCapped(mixed), false, "9 of 13");
    attempts(mixed, "e", failures(1));
    assert.equal(readLimit(mixed), 0, "10 of 14");
  });

  it("caps no other endpoint", () => {
    const breakers = createBreakers(fakeClock().nowMs);
    attempts(breakers, "e", failures(10));
    attempts(breakers, "other", failures(9));
    assert.deepEqual([...breakers.capped().keys()], ["e"]);
  });

  it("forgets failures of more than five minutes ago", () => {
    const clock = fakeClock();
    const breakers = createBreakers(clock.nowMs);
    attempts(breakers, "e", failures(9));
    clock.advance(5 * 60_000);
    attempts(breakers, "e", failures(1));
    assert.equal(isCapped(breakers), false);
  });

  it("allows one attempt every 30 seconds while it is open", () => {
    const clock = fakeClock();
    const breakers = createBreakers(clock.nowMs);
    attempts(breakers, "e", failures(10));
    clock.advance(29_999);
    assert.equal(readLimit(breakers), 0);
    clock.advance(1);
    assert.equal(readLimit(breakers), 1);
    breakers.attemptStarted("e");
    assert.equal(readLimit(breakers), 0, "one at a time");
    clock.advance(15_000);
    breakers.attemptEnded("e", false);
    clock.advance(29_999);
    assert.equal(readLimit(breakers), 0);
    clock.advance(1);
    assert.equal(readLimit(breakers), 1);
  });

  it("closes with one success, and earlier failures no longer count", () => {
    const clock = fakeClock();
    const breakers = createBreakers(clock.nowMs);
    attempts(breakers, "e", failures(10));
    clock.advance(30_000);
    attempts(breakers, "e", [true]);
    assert.equal(isCapped(breakers), false);
    attempts(breakers, "e", failures(9));
    assert.equal(isCapped(breakers), false);
  });

  it("drops endpoints that got nothing for five minutes", () => {
    const clock = fakeClock();
    const breakers = createBreakers(clock.nowMs);
    for (let count = 0; count < 100; count += 1) attempts(breakers, `e${count}`, failures(10));
    assert.equal(breakers.capped().size, 100);
    clock.advance(5 * 60_000);
    assert.equal(breakers.capped().size, 0);
  });
});
