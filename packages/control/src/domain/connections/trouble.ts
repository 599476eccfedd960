import { warnOwnAt } from "../certificates/own-certificate.ts";
import type { EventType } from "../webhooks/event.ts";
import type { Connection } from "./connection.ts";
import type { Decision } from "./lifecycle.ts";
import type { Observation } from "./observation.ts";

/** Trouble of a live connection, worst first: the first open one is its `error_code`. */
export const troubleKinds = [
  "certificate_expired",
  "certificate_at_risk",
  "origin_unreachable",
] as const;
export type TroubleKind = (typeof troubleKinds)[number];

export const troubleReasons = [
  "expired",
  "revoked",
  "renewal_failed",
  "caa_forbidden",
  "validation_missing",
  "own_certificate_ends",
  "origin_failing",
] as const;
export type TroubleReason = (typeof troubleReasons)[number];

/** One kind of trouble of a connection, with its present or its last episode. */
export interface Trouble {
  readonly kind: TroubleKind;
  readonly reason: TroubleReason;
  readonly openedAt: Date;
  /** Since when the cause of an open episode is gone. */
  readonly clearSince: Date | null;
  /** Null while the episode is open. */
  readonly closedAt: Date | null;
  /** How many episodes followed each other within `calmMs`. */
  readonly episodes: number;
}

/** What the edge knows of a certificate beyond its status. */
export interface Renewal {
  readonly notBefore: Date | null;
  readonly notAfter: Date | null;
  /**
   * The last attempt failed, or the CA did not answer. Waiting for a limit of the CA is no failure.
   */
  readonly isFailing: boolean;
  /** The last attempt to replace it ended without a certificate, for whatever reason. */
  readonly isUnreplaced: boolean;
  /** The CA has withdrawn it before its time. */
  readonly isWithdrawn: boolean;
  readonly nextAttemptAt: Date | null;
  /** The tenant brings it, and must bring its successor. */
  readonly isOwn: boolean;
}

/** What all edges together saw of the requests to the origin. */
export interface OriginHealth {
  /** In a row and without a success since, counted up to five. */
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly lastFailureAt: Date | null;
  /** The first success since it was last unreachable; null while it is. */
  readonly successSince: Date | null;
}

/** Read under the hostname's lock. */
export interface TroubleFacts {
  readonly troubles: readonly Trouble[];
  readonly renewal: Renewal | null;
  readonly origin: OriginHealth | null;
  /** The CNAME through which alone the certificate can be renewed; null where none is needed. */
  readonly validation: "present" | "missing" | "unknown" | null;
}

export const noTroubleFacts: TroubleFacts = {
  troubles: [],
  renewal: null,
  origin: null,
  validation: null,
};

const maxFailures = 5;
const maxFailingMs = 60_000;

/** An episode that begins later than this after the one before is the first of a new series. */
const calmMs = 3_600_000;
/**
 * How long the cause must stay away before an episode ends, by the number of episodes in the
 * series: a cause that comes and goes is reported a few times an hour at most.
 */
const steadyMs = [5_000, 20_000, 80_000, 320_000, 900_000];

/**
 * An edge that reports an answer while the episode is being written does not see it, and calls for
 * no check: the next one comes by itself.
 */
const followUpMs = 2_000;

/** What one check says about a kind of trouble; `unknown` changes nothing. */
type Sight =
  | { readonly is: "present"; readonly reason: TroubleReason }
  /** `since`: when the cause was gone; null where it cannot come back by itself. */
  | { readonly is: "absent"; readonly since: Date | null }
  | { readonly is: "unknown" };

/**
 * The decision about a live connection with its trouble: error code, events, and the rows to write.
 */
export interface TroubleDecision {
  readonly decision: Decision;
  readonly changed: readonly Trouble[];
}

/**
 * Adds the trouble of a live connection to a decision; in other states no episode begins or ends.
 * Each episode has one event when it begins and one when it ends. A certificate at risk that
 * expires goes over into the worse episode, and its recovery is reported once.
 */
export function withTroubles(
  decision: Decision,
  observation: Pick<Observation, "caa" | "probe">,
  facts: TroubleFacts,
  now: Date,
): TroubleDecision {
  if (decision.state !== "live") return { decision, changed: [] };
  const renewal = currentRenewal(observation, facts.renewal);
  const steps = troubleKinds.map((kind) => {
    const known = facts.troubles.find((trouble) => trouble.kind === kind) ?? null;
    return step(kind, known, judge(kind, known, { observation, renewal, facts, now }), now);
  });
  const troubles = steps.flatMap(({ trouble }) => (trouble === null ? [] : [trouble]));
  const isEscalated = troubles.some(({ kind, closedAt }) => isExpiry(kind) && closedAt === null);
  const worst = troubles.find(({ closedAt }) => closedAt === null)?.kind ?? null;
  const events = steps.flatMap(({ kind, event }) => {
    if (event === null || (event === "end" && kind === "certificate_at_risk" && isEscalated)) {
      return [];
    }
    return [troubleEvents[kind][event]];
  });
  const dueMs = steps.map((each) => each.dueMs).concat(dueFor(renewal, now));
  return {
    decision: {
      ...decision,
      errorCode: worst ?? (isTroubleKind(decision.errorCode) ? null : decision.errorCode),
      events: [...decision.events, ...events.sort(recoveriesFirst)],
      nextCheckMs: soonest([decision.nextCheckMs, ...dueMs]),
    },
    changed: steps.flatMap(({ trouble, isChanged }) => (trouble && isChanged ? [trouble] : [])),
  };
}

const troubleEvents: Readonly<
  Record<TroubleKind, { readonly begin: EventType; readonly end: EventType }>
> = {
  certificate_expired: { begin: "certificate.expired", end: "certificate.recovered" },
  certificate_at_risk: { begin: "certificate.at_risk", end: "certificate.recovered" },
  origin_unreachable: { begin: "origin.unreachable", end: "origin.recovered" },
};

/** A certificate that has recovered may be at risk again in the same check. */
function recoveriesFirst(one: EventType, other: EventType): number {
  return Number(other.endsWith(".recovered")) - Number(one.endsWith(".recovered"));
}

function isExpiry(kind: TroubleKind): boolean {
  return kind === "certificate_expired";
}

function isTroubleKind(code: Connection["errorCode"]): boolean {
  return troubleKinds.some((kind) => kind === code);
}

interface Step {
  readonly kind: TroubleKind;
  readonly trouble: Trouble | null;
  readonly isChanged: boolean;
  readonly event: "begin" | "end" | null;
  /** When the next check can end the episode, or finds out whether it has ended meanwhile. */
  readonly dueMs: number | null;
}

function step(kind: TroubleKind, known: Trouble | null, sight: Sight, now: Date): Step {
  const isOpen = known !== null && known.closedAt === null;
  const same = { kind, trouble: known, isChanged: false, event: null, dueMs: null };
  if (sight.is === "unknown") return same;
  if (sight.is === "present") {
    if (!isOpen) {
      const dueMs = kind === "origin_unreachable" ? followUpMs : null;
      return { ...same, trouble: begun(kind, known, sight, now), ...news("begin"), dueMs };
    }
    if (known.clearSince === null) return same;
    return { ...same, trouble: { ...known, clearSince: null }, isChanged: true };
  }
  if (!isOpen) return same;
  const waitMs = remainingMs(known, sight.since, now);
  if (waitMs <= 0) return { ...same, trouble: { ...known, closedAt: now }, ...news("end") };
  const isChanged = known.clearSince?.getTime() !== sight.since?.getTime();
  return { ...same, trouble: { ...known, clearSince: sight.since }, isChanged, dueMs: waitMs };
}

function news(event: "begin" | "end"): Pick<Step, "isChanged" | "event"> {
  return { isChanged: true, event };
}

function begun(
  kind: TroubleKind,
  last: Trouble | null,
  { reason }: { readonly reason: TroubleReason },
  now: Date,
): Trouble {
  const endedAt = last?.closedAt ?? null;
  const isSeries = endedAt !== null && now.getTime() - endedAt.getTime() < calmMs;
  const episodes = isSeries && last !== null ? last.episodes + 1 : 1;
  return { kind, reason, openedAt: now, clearSince: null, closedAt: null, episodes };
}

function remainingMs({ episodes }: Trouble, since: Date | null, now: Date): number {
  if (since === null) return 0;
  const neededMs = steadyMs[Math.min(episodes, steadyMs.length) - 1] ?? 0;
  return neededMs - (now.getTime() - since.getTime());
}

interface Scene {
  readonly observation: Pick<Observation, "caa">;
  readonly renewal: Renewal | null;
  readonly facts: TroubleFacts;
  readonly now: Date;
}

function judge(kind: TroubleKind, known: Trouble | null, scene: Scene): Sight {
  switch (kind) {
    case "certificate_expired":
      return expirySight(scene);
    case "certificate_at_risk":
      return riskSight(known, scene);
    case "origin_unreachable":
      return originSight(scene);
  }
}

/** With an external edge the certificate that was just seen counts, not the stored one. */
function currentRenewal(
  { probe }: Pick<Observation, "probe">,
  stored: Renewal | null,
): Renewal | null {
  if (probe?.outcome !== "valid") return stored;
  const { notBefore, notAfter } = probe.certificate;
  const untouched = {
    isFailing: false,
    isUnreplaced: false,
    isWithdrawn: false,
    nextAttemptAt: null,
    isOwn: false,
  };
  return { ...untouched, notBefore, notAfter };
}

function expirySight({ renewal, now }: Scene): Sight {
  if (renewal === null || renewal.notAfter === null) return { is: "unknown" };
  if (renewal.notAfter <= now) return { is: "present", reason: "expired" };
  // A withdrawn certificate is replaced within minutes; only a failure to do so is reported.
  if (renewal.isWithdrawn && renewal.isUnreplaced) return { is: "present", reason: "revoked" };
  return { is: "absent", since: null };
}

function riskSight(known: Trouble | null, scene: Scene): Sight {
  const { renewal, now } = scene;
  const { caa } = scene.observation;
  const { validation } = scene.facts;
  if (expirySight(scene).is === "present") return { is: "absent", since: null };
  if (renewal?.isOwn) return ownSight(renewal, now);
  if (caa === "forbidden") return { is: "present", reason: "caa_forbidden" };
  if (validation === "missing") return { is: "present", reason: "validation_missing" };
  if (renewal === null) return { is: "unknown" };
  const atRiskAt = lastThirdStart(renewal);
  if (renewal.isFailing && atRiskAt !== null && atRiskAt <= now) {
    return { is: "present", reason: "renewal_failed" };
  }
  const since = known?.clearSince ?? now;
  if (known?.reason === "caa_forbidden") {
    return caa === "allowed" ? { is: "absent", since } : { is: "unknown" };
  }
  if (known?.reason === "validation_missing") {
    return validation === "present" ? { is: "absent", since } : { is: "unknown" };
  }
  return { is: "absent", since: null };
}

/** CAA and validation matter only to certificates that we order. */
function ownSight(renewal: Renewal, now: Date): Sight {
  const warnAt = ownWarning(renewal);
  if (warnAt === null || warnAt > now) return { is: "absent", since: null };
  return { is: "present", reason: "own_certificate_ends" };
}

function ownWarning({ isOwn, notBefore, notAfter }: Renewal): Date | null {
  return isOwn && notBefore && notAfter ? warnOwnAt({ notBefore, notAfter }) : null;
}

/** When less than a third of the certificate's life is left. */
function lastThirdStart({ notBefore, notAfter }: Renewal): Date | null {
  if (notBefore === null || notAfter === null) return null;
  const lifeMs = notAfter.getTime() - notBefore.getTime();
  return new Date(notAfter.getTime() - lifeMs / 3);
}

function originSight({ facts: { origin } }: Scene): Sight {
  if (origin === null) return { is: "unknown" };
  if (origin.successSince !== null) return { is: "absent", since: origin.successSince };
  const { failures, failingSince, lastFailureAt } = origin;
  if (failingSince === null || lastFailureAt === null) return { is: "unknown" };
  const failingMs = lastFailureAt.getTime() - failingSince.getTime();
  const isUnreachable = failures >= maxFailures || failingMs >= maxFailingMs;
  return isUnreachable ? { is: "present", reason: "origin_failing" } : { is: "unknown" };
}

/** Live checks are spread by a tenth; this much later the moment has passed in any case. */
const pastSpread = 1.12;

/** A certificate expires, or becomes a risk, between two regular checks. */
function dueFor(renewal: Renewal | null, now: Date): number[] {
  if (renewal === null) return [];
  const risk = renewal.isOwn ? ownWarning(renewal) : lastThirdStart(renewal);
  const moments = [renewal.notAfter, renewal.isOwn || renewal.isFailing ? risk : null];
  return moments
    .map((at) => (at === null ? 0 : at.getTime() - now.getTime()))
    .filter((leftMs) => leftMs > 0)
    .map((leftMs) => Math.ceil(leftMs * pastSpread));
}

function soonest(times: readonly (number | null)[]): number | null {
  const known = times.filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.min(...known);
}
