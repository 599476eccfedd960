import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decide, type FailedFile } from "./flaky-policy.ts";
import type { Tier } from "./tiers.ts";

interface Case {
  readonly tier: Tier;
  readonly passedAlone: readonly number[];
  readonly quarantined?: readonly string[];
  readonly verdicts: readonly string[];
  readonly isFailure: boolean;
}

const cases: readonly Case[] = [
  { tier: "quick", passedAlone: [], verdicts: [], isFailure: false },
  { tier: "quick", passedAlone: [0], verdicts: ["FAILED"], isFailure: true },
  { tier: "quick", passedAlone: [1], verdicts: ["FLAKY"], isFailure: true },
  { tier: "world", passedAlone: [], verdicts: [], isFailure: false },
  { tier: "world", passedAlone: [0], verdicts: ["FAILED"], isFailure: true },
  { tier: "world", passedAlone: [1], verdicts: ["FAILED"], isFailure: true },
  { tier: "world", passedAlone: [2], verdicts: ["FLAKY"], isFailure: false },
  { tier: "world", passedAlone: [2, 2], verdicts: ["FLAKY", "FLAKY"], isFailure: false },
  { tier: "world", passedAlone: [2, 1], verdicts: ["FLAKY", "FAILED"], isFailure: true },
  { tier: "world", passedAlone: [2, 2, 2], verdicts: ["FLAKY", "FLAKY", "FLAKY"], isFailure: true },
  {
    tier: "world",
    passedAlone: [2],
    quarantined: ["file-0"],
    verdicts: ["FLAKY"],
    isFailure: true,
  },
  {
    tier: "world",
    passedAlone: [2],
    quarantined: ["another"],
    verdicts: ["FLAKY"],
    isFailure: false,
  },
  { tier: "soak", passedAlone: [1], verdicts: ["FLAKY"], isFailure: true },
];

describe("what failed files mean for a run", () => {
  for (const { tier, passedAlone, quarantined = [], verdicts, isFailure } of cases) {
    const known = quarantined.length === 0 ? "" : `, ${quarantined} in the quarantine`;
    it(`${tier}: passed alone [${passedAlone}]${known}`, () => {
      const failed = passedAlone.map((times, index): FailedFile => {
        return { file: `file-${index}`, passedAlone: times };
      });
      const decision = decide(tier, failed, new Set(quarantined));
      assert.deepEqual(
        decision.verdicts.map(({ verdict }) => verdict),
        verdicts,
      );
      assert.equal(decision.isFailure, isFailure);
    });
  }
});
