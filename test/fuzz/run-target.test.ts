import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { describeFailure, runTarget } from "./run-target.ts";
import type { FuzzTarget } from "./target.ts";

/** Harmed by any list with a number above 1,000. */
function fragile(changes: Partial<FuzzTarget<unknown>> = {}): FuzzTarget<unknown> {
  let count = 0;
  return {
    inputs: fc.array(fc.nat(5_000)),
    maxGrowthBytes: Number.POSITIVE_INFINITY,
    count: () => count,
    async attempt(input) {
      count += 1;
      assert.ok(Array.isArray(input) && input.every((one) => one <= 1_000), "too large");
    },
    close: async () => undefined,
    ...changes,
  };
}

const limits = { seed: 4_711, stored: [], hasEnded: () => false };

describe("runTarget", () => {
  it("makes a failing input smaller, and repeats it by its seed and path", async () => {
    const { failure } = await runTarget(fragile(), limits);
    assert.ok(failure);
    assert.deepEqual(failure.input, [1_001]);
    const { seed, path } = failure;
    assert.ok(path);
    const again = await runTarget(fragile(), { ...limits, seed, path });
    assert.deepEqual(again.failure?.input, [1_001]);
    const text = describeFailure("api", failure);
    assert.match(text, /too large/);
    assert.ok(text.includes(`npm run fuzz -- api --seed=${seed} --path=${path}`), text);
  });

  it("tries the stored inputs first, and ends when the limits say so", async () => {
    const tried: unknown[] = [];
    const target = fragile({ attempt: async (input) => void tried.push(input) });
    const stored = [[9_999], [8_888]];
    const outcome = await runTarget(target, { ...limits, stored, hasEnded: () => true });
    assert.deepEqual(tried.slice(0, 2), stored);
    assert.deepEqual([outcome.rounds, outcome.failure], [1, null]);
  });

  it("takes memory that grows, and what a round has done in sum, for harm", async () => {
    let bytes = 0;
    const growing = fragile({
      attempt: async () => undefined,
      maxGrowthBytes: 1_000,
      memoryBytes: () => {
        bytes += 400;
        return bytes;
      },
    });
    const grown = await runTarget(growing, limits);
    assert.match(String(grown.failure?.error), /memory has grown/);
    const review = async () => assert.fail("another tenant's object has changed");
    const changed = await runTarget(fragile({ attempt: async () => undefined, review }), limits);
    assert.match(String(changed.failure?.error), /another tenant/);
  });
});
