import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { it } from "node:test";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise } from "@mooring/testing/processes/soak";
import { describeFailure, runTarget } from "./run-target.ts";
import { storedInputs } from "./stored-inputs.ts";
import type { OpenTarget } from "./target.ts";

/** Everyday runs try the same inputs; with SOAK, and by `npm run fuzz`, each run has a new seed. */
const everydaySeed = 20_261_116;

/** The target as a test: so many requests, messages or forgeries. */
export function fuzzTest(
  name: string,
  open: OpenTarget,
  size: { readonly short: number; readonly stated: number; readonly promise?: string },
): void {
  it(`${name}: no generated input does harm`, async (context) => {
    const target = await open();
    try {
      const seed = proofSize(everydaySeed, randomInt(2 ** 31));
      const total = proofSize(size.short, size.stated);
      const hasEnded = (count: number) => count >= total;
      const outcome = await runTarget(target, { seed, hasEnded, stored: storedInputs(name) });
      const seconds = outcome.elapsedMs / 1_000;
      const grown = Math.round(outcome.grownBytes / 1_048_576);
      context.diagnostic(
        `${outcome.count} in ${seconds.toFixed(1)} s, seed ${seed}, memory grew by ${grown} MB`,
      );
      if (outcome.failure !== null) assert.fail(describeFailure(name, outcome.failure));
      if (size.promise !== undefined)
        recordPromise(size.promise, `${outcome.count} inputs`, "0 leaks");
    } finally {
      await target.close();
    }
  });
}
