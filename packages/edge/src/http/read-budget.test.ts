import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ReadBudget, RecordCount } from "./read-budget.ts";

/** Spends for a time, at a rate; when the budget was used up, in seconds, or null. */
function usedUpAfter(
  perSecond: number,
  bytes: number,
  { seconds = 600, sentBytes = 0 } = {},
): number | null {
  let nowMs = 0;
  const budget = new ReadBudget(true, null, () => nowMs);
  for (let count = 0; count < perSecond * seconds; count += 1) {
    nowMs = (count / perSecond) * 1_000;
    budget.addSent(sentBytes);
    if (!budget.spend(1, bytes)) return nowMs / 1_000;
  }
  return null;
}

describe("a budget of reads", () => {
  it("is enough for what people and programs do", () => {
    assert.equal(usedUpAfter(20, 1), null, "keys that are typed");
    assert.equal(usedUpAfter(240, 10), null, "a game over a WebSocket");
    assert.equal(usedUpAfter(1_900, 73), null, "messages of gRPC, 50 bytes each");
    assert.equal(usedUpAfter(50_000, 1_400, { seconds: 5 }), null, "an upload in packets");
    // A download of 120 MB a second, with a window update for each 4 KB.
    assert.equal(usedUpAfter(30_000, 26, { seconds: 10, sentBytes: 4_096 }), null);
  });

  it("is used up by a flood of single bytes, and not renewed by waiting a little", () => {
    const after = usedUpAfter(100_000, 1);
    assert.ok(after !== null && after < 0.1, `${after} s`);
    const slower = usedUpAfter(2_000, 1);
    assert.ok(slower !== null && slower < 10, `${slower} s`);
  });

  it("refills with time, and with each request, up to the burst", () => {
    let nowMs = 0;
    const budget = new ReadBudget(true, null, () => nowMs);
    const spendAll = (): number => {
      let count = 0;
      while (budget.spend(1, 0)) count += 1;
      return count;
    };
    const burst = spendAll();
    assert.equal(spendAll(), 0);
    nowMs += 1_000;
    const perSecond = spendAll();
    assert.ok(perSecond > 900 && perSecond < burst, `${perSecond} a second`);
    nowMs += 3_600_000;
    assert.ok(Math.abs(spendAll() - burst) <= 1);
    for (let request = 0; request < 100; request += 1) budget.addRequest();
    assert.ok(spendAll() >= 300);
  });
});

describe("a budget after a pause", () => {
  it("is the burst, not what the pause would have added to it", () => {
    let nowMs = 0;
    const budget = new ReadBudget(true, null, () => nowMs);
    nowMs = 60_000;
    assert.equal(budget.spend(6_000, 6_000), false);
  });
});

describe("a budget without a limit", () => {
  it("is never used up", () => {
    const budget = new ReadBudget(false, null, () => 0);
    assert.equal(budget.spend(1e9, 1), true);
    budget.addRequest();
    assert.equal(budget.spend(1e9, 1), true);
  });
});

describe("a count of TLS records", () => {
  it("charges what is on the wire and not in the content", () => {
    const wire = { bytesRead: 2_000 };
    const secure = { bytesRead: 100, bytesWritten: 50 };
    const count = new RecordCount(wire, secure);
    const budget = new ReadBudget(true, null, () => 0);
    assert.equal(count.charge(budget), true);
    // A gigabyte in full records.
    wire.bytesRead += 1_000_000_000 + 61_036 * 22;
    secure.bytesRead += 1_000_000_000;
    assert.equal(count.charge(budget), true);
    // Ten thousand records of one byte.
    wire.bytesRead += 230_000;
    secure.bytesRead += 10_000;
    assert.equal(count.charge(budget), false);
  });
});
