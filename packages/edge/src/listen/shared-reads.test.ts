import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ReadBudget } from "../http/read-budget.ts";
import { createSharedReads } from "./shared-reads.ts";

describe("budgets of many connections", () => {
  it("end early while all together cause too many, and modest ones never", () => {
    let nowMs = 0;
    const clock = () => nowMs;
    const shared = createSharedReads(clock);
    const modest = new ReadBudget(true, shared, clock);
    const spent = Array.from({ length: 100 }, () => {
      const budget = new ReadBudget(true, shared, clock);
      let count = 0;
      while (count < 8_000 && budget.spend(1, 0)) count += 1;
      return count;
    });
    const all = spent.reduce((sum, count) => sum + count, 0);
    assert.ok(all < 40_000, `${all} of 800,000 reads`);
    for (let read = 0; read < 100; read += 1) assert.ok(modest.spend(1, 0));
    nowMs += 1_000;
    const later = new ReadBudget(true, shared, clock);
    for (let read = 0; read < 1_000; read += 1) assert.ok(later.spend(1, 0));
  });
});
