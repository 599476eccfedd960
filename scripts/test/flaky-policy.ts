import type { Tier } from "./tiers.ts";

/** A file that failed in the whole run, and what it did when it ran alone. */
export interface FailedFile {
  readonly file: string;
  readonly passedAlone: number;
}

export interface Verdict {
  readonly file: string;
  readonly verdict: "FAILED" | "FLAKY";
}

export interface Decision {
  readonly verdicts: readonly Verdict[];
  readonly isFailure: boolean;
  /** Why flaky files fail the run, or null. */
  readonly reason: string | null;
}

/** How often a failed file is run alone, until it fails: in the quick tier only to name it. */
export const runsAlone: Readonly<Record<Tier, number>> = { quick: 1, world: 2, soak: 1 };

/** So many flaky files of the world tier do not fail a run. */
const toleratedFlakes = 2;

/**
 * A failed file that passes every run alone is flaky. In the quick tier and the soak that fails the
 * run as a broken file does; the world tier tolerates two, none of which is in the quarantine.
 */
export function decide(
  tier: Tier,
  failed: readonly FailedFile[],
  quarantined: ReadonlySet<string>,
): Decision {
  const verdicts = failed.map(({ file, passedAlone }): Verdict => {
    return { file, verdict: passedAlone >= runsAlone[tier] ? "FLAKY" : "FAILED" };
  });
  const flaky = verdicts.filter(({ verdict }) => verdict === "FLAKY");
  const reason = whyFlakesFail(tier, flaky, quarantined);
  return { verdicts, reason, isFailure: flaky.length < verdicts.length || reason !== null };
}

function whyFlakesFail(
  tier: Tier,
  flaky: readonly Verdict[],
  quarantined: ReadonlySet<string>,
): string | null {
  if (flaky.length === 0) return null;
  if (tier !== "world") return `a flaky file fails the ${tier} tier`;
  if (flaky.length > toleratedFlakes) {
    return `${flaky.length} files are flaky; ${toleratedFlakes} are tolerated`;
  }
  const known = flaky.find(({ file }) => quarantined.has(file));
  return known === undefined ? null : `${known.file} is flaky again; it is in the quarantine`;
}
