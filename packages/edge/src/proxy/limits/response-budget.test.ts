import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ResponseBudget } from "./response-budget.ts";

describe("ResponseBudget", () => {
  it("allows some informational responses, and as many bytes of them as one head may have", () => {
    const many = new ResponseBudget(65_536);
    const allowed = Array.from({ length: 40 }, () => many.inform(50));
    assert.equal(allowed.filter(Boolean).length, 32);
    assert.equal(allowed[32], false);
    const large = new ResponseBudget(65_536);
    assert.deepEqual([large.inform(60_000), large.inform(60_000)], [true, false]);
  });

  it("ends an endless stream of one-byte chunks, at whatever pace beyond the refill", () => {
    const budget = new ResponseBudget(0);
    let chunks = 0;
    // 100,000 chunks a second.
    while (budget.frame(5_000, 1_000, chunks / 100)) chunks += 1_000;
    assert.ok(chunks > 250_000 && chunks < 400_000, String(chunks));
  });

  it("never ends small events, nor one-byte chunks at a human pace", () => {
    const events = new ResponseBudget(0);
    const slow = new ResponseBudget(0);
    for (let second = 0; second < 3_600; second += 1) {
      assert.ok(events.frame(6 * 100_000, 9 * 100_000, second * 1_000));
      assert.ok(slow.frame(5 * 10_000, 10_000, second * 1_000));
    }
  });

  it("does not let an hour of content pay for an endless stream of framing", () => {
    const budget = new ResponseBudget(0);
    assert.ok(budget.frame(0, 1e12, 0));
    assert.equal(budget.frame(2_000_000, 0, 0), false);
  });
});
