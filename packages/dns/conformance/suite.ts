import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProviderAdapter } from "../src/providers/adapter/contract.ts";
import { type Case, createCaseContext, suiteZone } from "./cases/case-context.ts";
import { failingCases } from "./cases/failing-cases.ts";
import { readingCases, suiteRecords } from "./cases/reading-cases.ts";
import { writingCases } from "./cases/writing-cases.ts";
import type { Backend } from "./simulator.ts";

export interface ConformanceOptions {
  /** Starts a fresh backend; called once per case. */
  readonly simulator: () => Promise<Backend>;
  /** Cases that this provider cannot pass, and why not. */
  readonly skip?: readonly { readonly test: string; readonly reason: string }[];
  /** The day on which those were last found to be needed; providers change. */
  readonly skippedSince?: `${number}-${number}-${number}`;
  /** Types that the provider's interface does not show, which the zone therefore starts without. */
  readonly without?: readonly string[];
  readonly timeoutMs?: number;
}

/**
 * What every adapter has to guarantee, as tests. A skipped case needs a dated reason; a misspelt
 * one fails.
 */
export function runConformance(adapter: ProviderAdapter, options: ConformanceOptions): void {
  const cases: readonly Case[] = [...readingCases, ...writingCases, ...failingCases];
  const skip = options.skip ?? [];
  describe(`${adapter.manifest.slug} conforms`, () => {
    it("skips only cases that exist, each for a dated reason", () => {
      const since = Date.parse(options.skippedSince ?? "");
      assert.ok(skip.length === 0 || since <= Date.now(), "the skips have no date");
      for (const { test, reason } of skip) {
        assert.ok(
          cases.some(({ name }) => name === test),
          `there is no case "${test}"`,
        );
        assert.ok(reason.length > 10, `"${test}" is skipped without a reason`);
      }
    });
    for (const { name, unless, run } of cases) {
      const listed = skip.find(({ test }) => test === name)?.reason;
      const dated = listed && `${listed} (${options.skippedSince})`;
      const reason = dated ?? unless?.(adapter) ?? false;
      it(name, { skip: reason }, async () => {
        const backend = await options.simulator();
        try {
          const initialRecords = suiteRecords.filter(
            ({ type }) => options.without?.includes(type) !== true,
          );
          await backend.seed(suiteZone, initialRecords);
          await run(
            createCaseContext(adapter, backend, initialRecords, options.timeoutMs ?? 5_000),
          );
        } finally {
          await backend.close();
        }
      });
    }
  });
}
