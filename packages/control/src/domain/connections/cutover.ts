export const cutoverStatuses = ["preparing", "ready", "switching", "done", "reverted"] as const;
export type CutoverStatus = (typeof cutoverStatuses)[number];

export const cutoverChecks = [
  "ownership",
  "validation",
  "certificate",
  "edge",
  "origin",
  "caa_dnssec",
  "mail",
] as const;
export type CutoverCheckCode = (typeof cutoverChecks)[number];

/** Why the origin was not compared with the old place: nothing to ask, or nobody answered. */
export const notCompared = ["no_address", "unreachable"] as const;
export type NotCompared = (typeof notCompared)[number];

export interface CutoverCheck {
  readonly code: CutoverCheckCode;
  readonly ok: boolean;
  readonly message: string;
  /** Nothing stands in the way, and nothing is known. */
  readonly not_compared?: NotCompared;
}

/** A record in the API's format. */
export interface OldRecord {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
  readonly priority: number | null;
}

/**
 * The move of a name that serves visitors elsewhere. Times are text because it is a JSON column.
 */
export interface Cutover {
  readonly status: CutoverStatus;
  readonly checks: readonly CutoverCheck[];
  readonly ready_at: string | null;
  /** What the name has at the old location. */
  readonly old_records: readonly OldRecord[];
  /** The TTL of the old records, as last seen; null before it was seen. */
  readonly ttl: number | null;
  /** When no cache can send visitors to the old location any more. */
  readonly visitors_gone_at: string | null;
  /** Until when a cache may hold the old answer that was last seen. */
  readonly cached_until: string | null;
  readonly done_at: string | null;
  /** After a revert: the old records have been seen again, so new ones are another switch. */
  readonly is_away: boolean;
}

export function newCutover(old: OldLocation | null): Cutover {
  return {
    status: "preparing",
    checks: [],
    ready_at: null,
    old_records: old?.records ?? [],
    ttl: old?.ttl ?? null,
    visitors_gone_at: null,
    cached_until: null,
    done_at: null,
    is_away: true,
  };
}

/** Where the name resolves to until the switch. */
export interface OldLocation {
  readonly records: readonly OldRecord[];
  readonly addresses: readonly string[];
  readonly ttl: number;
}

/** What a check sees of a cut-over, beside the rest of its observation. */
export interface CutoverObservation {
  /** Null where the name does not resolve elsewhere, or that could not be seen. */
  readonly old: OldLocation | null;
  /** Null when this check has not asked: what is known stays. */
  readonly facts: CutoverFacts | null;
}

interface CutoverFacts {
  readonly edge: CutoverFact;
  readonly origin: CutoverFact;
  readonly mail: CutoverFact;
  readonly isDnssecBroken: boolean;
}

export type CutoverFact = Omit<CutoverCheck, "code">;

/** The TTL that the old records get before the switch, where a credential can write them. */
export const loweredTtlSeconds = 60;

/** The old location can be gone back to for this long after the switch is done. */
export const revertWithinMs = 7 * 86_400_000;

/** Whether the connection waits for its switch: its records are not expected to be right. */
export function isCuttingOver({ cutover }: { readonly cutover: Cutover | null }): boolean {
  return cutover !== null && cutover.status !== "done";
}

/** Not switched, and not ready for it. */
export function isPreparing({ cutover }: { readonly cutover: Cutover | null }): boolean {
  return cutover?.status === "preparing";
}

/** The name leads elsewhere on purpose: nothing that visitors follow is expected to be right. */
export function awaitsSwitch({ cutover }: { readonly cutover: Cutover | null }): boolean {
  return isCuttingOver({ cutover }) && cutover?.status !== "switching";
}

/** Undefined where nothing was being cut over. */
export function doneCutover(cutover: Cutover | null, now: Date): Cutover | undefined {
  if (cutover === null || cutover.status === "done") return undefined;
  return { ...cutover, status: "done", done_at: now.toISOString() };
}

/** What stands in the way of a switch; a difference of the origin can be accepted. */
export function blockingChecks(
  cutover: Cutover,
  accepted: readonly string[],
): readonly CutoverCheck[] {
  return cutover.checks.filter(
    ({ code, ok }) => !ok && !(code === "origin" && accepted.includes(code)),
  );
}

/**
 * Caches count whole seconds: each one on the way to a visitor can keep an answer for almost one
 * more.
 */
const cacheRoundingMs = 5_000;

/** A cache may have asked right before the switch, and an earlier one with a longer TTL. */
export function goneAt({ ttl, cached_until }: Cutover, now: Date): string {
  const times = [now.getTime() + (ttl ?? 0) * 1_000, Date.parse(cached_until ?? now.toISOString())];
  return new Date(Math.max(...times) + cacheRoundingMs).toISOString();
}

/** The cut-over as the API and events show it. */
export function cutoverSnapshot(cutover: Cutover | null) {
  if (cutover === null) return null;
  const { status, checks, ready_at, old_records, ttl, visitors_gone_at } = cutover;
  return {
    status,
    ready_at,
    ttl,
    visitors_gone_at,
    checks: checks.map((check) => ({ ...check })),
    old_records: old_records.map((record) => ({ ...record })),
  };
}
