import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createGate, type DeliveryGate } from "./gate.ts";

function fakeClock() {
  let now = 1_000_000;
  return { nowMs: () => now, advance: (ms: number) => (now += ms) };
}

function attempts(gate: DeliveryGate, endpoint: string, results: readonly boolean[]): void {
  for (const ok of results) {
    gate.enter(endpoint, "t");
    gate.leave(endpoint, "t", ok);
  }
}

const failures = (count: number): boolean[] => Array<boolean>(count).fill(false);
const roomOf = (gate: DeliveryGate, endpoint: string): number | undefined =>
  gate.room().endpoints.get(endpoint);

describe("the gate of deliveries", () => {
  it("lets eight run for an endpoint at once, and says how many more may", () => {
    const gate = createGate(fakeClock().nowMs);
    assert.equal(gate.room().usual, 8);
    for (let count = 0; count < 8; count += 1) {
      assert.equal(gate.hasRoom("e", "t"), true);
      gate.enter("e", "t");
      assert.equal(roomOf(gate, "e"), 7 - count);
    }
    assert.equal(gate.hasRoom("e", "t"), false);
    assert.equal(gate.hasRoom("other", "t"), true);
    gate.leave("e", "t", true);
    assert.equal(roomOf(gate, "e"), 1);
  });

  it("lets sixty-four run for a tenant at once, whatever their endpoints", () => {
    const gate = createGate(fakeClock().nowMs);
    for (let count = 0; count < 64; count += 1) gate.enter(`e${count}`, "t");
    assert.equal(gate.hasRoom("new", "t"), false);
    assert.equal(gate.hasRoom("new", "other"), true);
    assert.deepEqual(gate.room().fullTenants, ["t"]);
    gate.leave("e0", "t", true);
    assert.equal(gate.hasRoom("new", "t"), true);
    assert.deepEqual(gate.room().fullTenants, []);
  });

  it("opens at 70 % failures of at least ten, and not before", () => {
    const few = createGate(fakeClock().nowMs);
    attempts(few, "e", failures(9));
    assert.equal(roomOf(few, "e"), 8);
    attempts(few, "e", failures(1));
    assert.equal(roomOf(few, "e"), 0);
    const mixed = createGate(fakeClock().nowMs);
    attempts(mixed, "e", [true, true, true, true, ...failures(9)]);
    assert.equal(roomOf(mixed, "e"), 8, "9 of 13");
    attempts(mixed, "e", failures(1));
    assert.equal(roomOf(mixed, "e"), 0, "10 of 14");
  });

  it("forgets failures of more than five minutes ago", () => {
    const clock = fakeClock();
    const gate = createGate(clock.nowMs);
    attempts(gate, "e", failures(9));
    clock.advance(5 * 60_000);
    attempts(gate, "e", failures(1));
    assert.equal(roomOf(gate, "e"), 8);
  });

  it("lets one try through every 30 seconds while it is open", () => {
    const clock = fakeClock();
    const gate = createGate(clock.nowMs);
    attempts(gate, "e", failures(10));
    clock.advance(29_999);
    assert.equal(gate.hasRoom("e", "t"), false);
    clock.advance(1);
    assert.equal(roomOf(gate, "e"), 1);
    gate.enter("e", "t");
    assert.equal(gate.hasRoom("e", "t"), false, "one at a time");
    clock.advance(15_000);
    gate.leave("e", "t", false);
    clock.advance(29_999);
    assert.equal(gate.hasRoom("e", "t"), false);
    clock.advance(1);
    assert.equal(gate.hasRoom("e", "t"), true);
  });

  it("closes with one success, and the failures before count no more", () => {
    const clock = fakeClock();
    const gate = createGate(clock.nowMs);
    attempts(gate, "e", failures(10));
    clock.advance(30_000);
    attempts(gate, "e", [true]);
    assert.equal(gate.hasRoom("e", "t"), true);
    attempts(gate, "e", failures(9));
    assert.equal(gate.hasRoom("e", "t"), true);
  });

  it("remembers nothing of receivers that it has long not heard of", () => {
    const clock = fakeClock();
    const gate = createGate(clock.nowMs);
    for (let count = 0; count < 100; count += 1) attempts(gate, `e${count}`, failures(10));
    assert.equal(gate.room().endpoints.size, 100);
    clock.advance(5 * 60_000);
    assert.equal(gate.room().endpoints.size, 0);
  });
});
