import { confirmMs, nextCheckMs } from "../backoff.ts";
import { type Certificate, isWaitingForCa } from "../certificates/certificate.ts";
import { effectiveRecords, moveRecords, type RecordsMove } from "../records/moving-records.ts";
import type { EventType } from "../webhooks/event.ts";
import {
  type Connection,
  type ConnectionError,
  type ConnectionState,
  connectionPhase,
} from "./connection.ts";
import {
  type ContestFacts,
  type ContestMove,
  type ContestSettings,
  type ContestStep,
  claimAfter,
  contestStep,
  noContestFacts,
} from "./contest.ts";
import { type Cutover, doneCutover, isCuttingOver } from "./cutover.ts";
import { cutoverStep } from "./cutover-step.ts";
import { isOwedToCdn, lostBehindCdn } from "./front-step.ts";
import type { ClaimState, Observation, WriteResult } from "./observation.ts";
import { overQuota, ownershipStep, visibleAfterMs } from "./ownership-step.ts";
import { untilNextAttempt } from "./waiting-for-ca.ts";

export interface LifecycleSettings extends ContestSettings {
  readonly stallAfterMs: number;
  readonly giveUpAfterMs: number;
  /** Certificates are then obtained elsewhere: they are probed, not ordered. */
  readonly hasExternalEdge: boolean;
  /** The plan leaves no room for the name: once proven it waits. */
  readonly exceedsQuota?: boolean;
}

/** What follows from an observation. `applyObservation` writes it in one transaction. */
export interface Decision {
  readonly state: ConnectionState;
  readonly errorCode: ConnectionError | null;
  readonly setupType: Connection["setupType"];
  readonly events: readonly EventType[];
  /**
   * `take` also archives a holder that has drifted or lost a contest; `release` frees the hostname
   * for others.
   */
  readonly claim: "take" | "release" | "keep";
  readonly contestMove: ContestMove;
  /** Undefined: unchanged. */
  readonly contest: Connection["contest"] | undefined;
  /** A certificate that was not reported before; null when there is none. */
  readonly newCertificate: string | null;
  /** The certificate's row becomes due. */
  readonly wantsCertificate: boolean;
  readonly records: RecordsMove;
  /** Undefined: unchanged. */
  readonly cutover: Connection["cutover"] | undefined;
  readonly misses: number;
  readonly firstMissAt: Date | null;
  /** Null when no further check is due. */
  readonly nextCheckMs: number | null;
  /** Later than before by the time in which the phase did not run. */
  readonly phaseStartedAt: Date;
}

type Step = Partial<Decision> & { readonly state: ConnectionState };

/**
 * The only function that knows the transitions. Pure and total: every state takes every
 * observation.
 */
export function decide(
  connection: Connection,
  observation: Observation,
  claim: ClaimState,
  now: Date,
  settings: LifecycleSettings,
  contests: ContestFacts = noContestFacts,
): Decision {
  const contest = contestStep(connection, observation, claim, contests, now, settings);
  const next = stepFor(connection, observation, claimAfter(contest, claim), now, settings);
  // The customer alone decides when a prepared name is switched.
  const isPrepared =
    isCuttingOver(connection) && connectionPhase(connection.state) === "propagation";
  const isPaused =
    isWaitingForCa(next.errorCode ?? null) ||
    next.errorCode === "quota_exceeded" ||
    isContesting(contest) ||
    isPrepared;
  const ended = isPaused ? next : timedOut(connection, now, settings, next);
  const isNew = ended.state !== connection.state;
  const checks = isNew ? 0 : connection.checks + 1;
  const watched = isNew ? { ...settings, isWatched: true } : settings;
  const cadenceMs = nextCheckMs(ended.state, checks, watched);
  const step = withContest(ended, contest, cadenceMs);
  return {
    errorCode: null,
    setupType: connection.setupType,
    events: [],
    claim: "keep",
    contestMove: { is: "none" },
    contest: undefined,
    cutover: undefined,
    newCertificate: null,
    wantsCertificate: false,
    misses: 0,
    firstMissAt: null,
    nextCheckMs: cadenceMs,
    phaseStartedAt: phaseStart(connection, step, now, isPaused),
    ...step,
    ...withMovingRecords(connection, observation, step, settings),
    ...(settings.hasExternalEdge ? { wantsCertificate: false } : {}),
  };
}

/** The prover's phase does not run during a contest: it has done its part. */
function isContesting({ move, contest }: ContestStep): boolean {
  return move.is !== "won" && contest !== undefined && contest !== null;
}

/** What a contest adds to a step: its own move, and when its checks are due. */
function withContest(step: Step, found: ContestStep, cadenceMs: number | null): Step {
  const { move, contest, misses, firstMissAt, nextCheckMs: exactMs, latestCheckMs } = found;
  const dueMs = step.nextCheckMs === undefined ? cadenceMs : step.nextCheckMs;
  const isCapped = latestCheckMs !== undefined && dueMs !== null && latestCheckMs < dueMs;
  return {
    ...step,
    contestMove: move,
    contest,
    ...(move.is === "won" ? { events: [...(step.events ?? []), "domain.contest_won"] } : {}),
    ...(misses === undefined ? {} : { misses }),
    ...(firstMissAt === undefined ? {} : { firstMissAt }),
    ...(isCapped ? { nextCheckMs: latestCheckMs } : {}),
    ...(exactMs === undefined ? {} : { nextCheckMs: exactMs }),
  };
}

function stepFor(
  connection: Connection,
  observation: Observation,
  claim: ClaimState,
  now: Date,
  settings: LifecycleSettings,
): Step {
  switch (connection.state) {
    case "created":
      return { state: "pending_ownership", events: ["domain.added"] };
    case "pending_ownership":
    case "verifying":
      return ownershipStep(connection, observation, claim, settings);
    case "verified":
      return settings.exceedsQuota ? overQuota : chooseSetup(connection, observation);
    case "dns_writing":
      return writing(connection, observation, now, settings);
    case "propagating":
    case "stalled":
      return propagation(connection, observation, now, settings);
    case "issuing_cert":
      return certificate(connection, observation, now, settings);
    case "live":
      return watching(connection, observation, now, settings);
    case "drifted":
      return recovering(connection, observation);
    case "failed":
      // Only a verify checks a failed connection: its ownership phase restarts with the same
      // challenge.
      return observation.ownership
        ? ownershipStep(connection, observation, claim, settings)
        : same(connection);
    case "archived":
      return same(connection);
  }
}

function chooseSetup(connection: Connection, observation: Observation): Step {
  // Nothing that visitors depend on is written before the switch.
  if (isCuttingOver(connection)) return { state: "propagating", nextCheckMs: 0 };
  if (observation.credential === null) return same(connection);
  if (observation.credential === "usable") return { state: "dns_writing" };
  if (observation.credential !== "none") {
    const isRefused = observation.credential === "refused";
    const errorCode = isRefused ? "provider_auth" : "provider_not_delegated";
    return { state: "propagating", nextCheckMs: 0, errorCode, setupType: "manual" };
  }
  // Many customers add all records together: the first check is at once, then the cadence applies.
  return { state: "propagating", nextCheckMs: 0 };
}

function writing(
  connection: Connection,
  observation: Observation,
  now: Date,
  settings: LifecycleSettings,
): Step {
  const { write } = observation;
  if (!write) return same(connection);
  if (write.outcome === "written") return { state: "propagating", ...afterGoodWrite };
  // A zone that is busy with others of ours is no reason to ask the customer.
  const isTooLate = write.error !== null && elapsed(connection, now) >= settings.stallAfterMs;
  const isForGood = write.outcome === "refused" || isTooLate;
  if (isForGood) return { state: "propagating", errorCode: write.error, setupType: "manual" };
  return { state: "dns_writing", errorCode: write.error, nextCheckMs: write.retryAfterMs };
}

function propagation(
  connection: Connection,
  observation: Observation,
  now: Date,
  settings: LifecycleSettings,
): Step {
  const { cutover } = connection;
  if (cutover !== null && cutover.status !== "done") {
    return preparation({ ...connection, cutover }, observation, now);
  }
  const { records } = observation;
  if (records?.outcome === "match") {
    const isForbidden = observation.caa === "forbidden" && !validCertificate(observation);
    return {
      state: "issuing_cert",
      // The stall was reported, so its end is too.
      events: connection.state === "stalled" ? ["domain.changed"] : [],
      errorCode: isForbidden ? "caa_forbidden" : null,
      wantsCertificate: !isForbidden,
      // An external edge does not report its certificate, and a visitor's handshake may have
      // obtained it.
      ...(settings.hasExternalEdge || validCertificate(observation) ? { nextCheckMs: 0 } : {}),
    };
  }
  const isLate = elapsed(connection, now) >= settings.stallAfterMs;
  const isNews = isLate && connection.state !== "stalled";
  return {
    state: isLate ? "stalled" : connection.state,
    events: isNews ? ["domain.stalled"] : [],
    errorCode: refusedWrite(connection) ?? records?.error ?? connection.errorCode,
    wantsCertificate: isOwedToCdn(connection, observation, now),
    ...afterConsent(observation),
  };
}

const preparedCheckMs = 10_000;

/** While a cut-over is prepared, ready or being switched; never stalled. */
function preparation(
  connection: Connection & { readonly cutover: Cutover },
  observation: Observation,
  now: Date,
): Step {
  const found = cutoverStep(connection, observation, validCertificate(observation), now);
  const { cutover, events, wantsCertificate } = found;
  if (found.isSwitched) {
    return { state: "issuing_cert", cutover, events, wantsCertificate, nextCheckMs: 0 };
  }
  const isForbidden = observation.caa === "forbidden";
  const errorCode = isForbidden ? "caa_forbidden" : certificateTrouble(observation);
  const nextCheckMs = preparedCheckMs;
  return { state: "propagating", errorCode, cutover, events, wantsCertificate, nextCheckMs };
}

function certificateTrouble(observation: Observation): ConnectionError | null {
  return validCertificate(observation) ? null : (observation.certificate?.errorCode ?? null);
}

/** An earlier refusal made the connection manual; the service has written again. */
const afterGoodWrite = { nextCheckMs: visibleAfterMs, setupType: "automatic" } as const;

/** A customer may consent at their provider while the records are awaited or have drifted. */
function afterConsent({ write }: Observation): Partial<Decision> {
  if (write?.outcome === "written") return afterGoodWrite;
  if (write?.outcome === "refused") return { errorCode: write.error, setupType: "manual" };
  return {};
}

/** The error of a refused write stays until the records match or another write is made. */
function refusedWrite(connection: Connection): ConnectionError | null {
  return connection.errorCode?.startsWith("provider_") ? connection.errorCode : null;
}

function certificate(
  connection: Connection,
  observation: Observation,
  now: Date,
  settings: LifecycleSettings,
): Step {
  if (validCertificate(observation)) {
    const isFirst = connection.firstLiveAt === null;
    const events: EventType[] = isFirst ? ["ssl.issued", "domain.flow.completed"] : ["ssl.issued"];
    const cutover = doneCutover(connection.cutover, now);
    return {
      state: "live",
      events,
      newCertificate: newCertificate(connection, observation),
      cutover,
    };
  }
  if (observation.caa === "forbidden") return { state: "issuing_cert", errorCode: "caa_forbidden" };
  // Requested in every check until it is issued, so that an edge that was down finds the row due.
  const records = effectiveRecords(observation);
  // A CA that validates DNSSEC refuses a bogus zone: an order would only count as a failure.
  const isBlocked = records?.outcome === "wrong" || records?.error === "dnssec_bogus";
  const error = isBlocked ? records.error : (observation.certificate?.errorCode ?? null);
  const waiting = isBlocked ? {} : untilNextAttempt(observation.certificate, now, settings);
  return { state: "issuing_cert", errorCode: error, wantsCertificate: !isBlocked, ...waiting };
}

function validCertificate({ certificate: found }: Observation): Certificate | null {
  return found?.status === "issued" || found?.status === "renewing" ? found : null;
}

/** The id of a valid certificate that was not reported yet: the first one, or a renewal. */
function newCertificate(connection: Connection, observation: Observation): string | null {
  const issueId = validCertificate(observation)?.issueId ?? null;
  return issueId === connection.certificateId ? null : issueId;
}

/**
 * What a change of the desired records adds to a step; the connection's state does not depend on
 * it.
 */
function withMovingRecords(
  connection: Connection,
  observation: Observation,
  step: Step,
  settings: LifecycleSettings,
): Pick<Decision, "records"> & Partial<Decision> {
  const records = moveRecords(connection, observation, step.state);
  const isLive = step.state === "live";
  const { write } = observation;
  return {
    records,
    ...(records.isNews ? { events: [...(step.events ?? []), "domain.records_changed"] } : {}),
    ...(isLive ? { errorCode: liveError(step, records) } : {}),
    ...(isLive && records.isOpen ? { nextCheckMs: confirmMs(settings) } : {}),
    ...(isLive && write ? afterMigration(write) : {}),
  };
}

/** Any other trouble of a live connection comes first. */
function liveError(step: Step, { pendingRecords }: RecordsMove): ConnectionError | null {
  const other = step.errorCode === "records_changed" ? null : (step.errorCode ?? null);
  return other ?? (pendingRecords === null ? null : "records_changed");
}

/** The service writes the new records of a live connection itself where it can. */
function afterMigration(write: WriteResult): Partial<Decision> {
  switch (write.outcome) {
    case "written":
      return afterGoodWrite;
    case "later":
      return { nextCheckMs: write.retryAfterMs };
    case "refused":
      return { setupType: "manual" };
  }
}

/**
 * Drift needs two checks that see other values, the second at least `confirmMs` after the first;
 * behind a CDN as many as `lostBehindCdn` asks for.
 */
function watching(
  connection: Connection,
  observation: Observation,
  now: Date,
  settings: LifecycleSettings,
): Step {
  const records = effectiveRecords(observation);
  const { misses, firstMissAt } = connection;
  const renewed = newCertificate(connection, observation);
  const events: EventType[] = renewed ? ["ssl.issued"] : [];
  if (records?.outcome === "match") return { state: "live", events, newCertificate: renewed };
  if (records?.outcome !== "wrong") {
    const confirming = misses > 0 ? { nextCheckMs: confirmMs(settings) } : {};
    return { state: "live", errorCode: connection.errorCode, misses, firstMissAt, ...confirming };
  }
  const lost = lostBehindCdn(connection, observation, now);
  if (lost?.isLost === false) {
    const seen = { misses: lost.misses, firstMissAt: firstMissAt ?? now };
    return { state: "live", ...seen, nextCheckMs: confirmMs(settings) };
  }
  const drifted: Step = { state: "drifted", errorCode: records.error, events: ["domain.drift"] };
  if (lost !== null) return drifted;
  if (misses === 0 || firstMissAt === null) {
    return { state: "live", misses: 1, firstMissAt: now, nextCheckMs: confirmMs(settings) };
  }
  const remainingMs = confirmMs(settings) - (now.getTime() - firstMissAt.getTime());
  if (remainingMs > 0) return { state: "live", misses, firstMissAt, nextCheckMs: remainingMs };
  return drifted;
}

function recovering(connection: Connection, observation: Observation): Step {
  const records = effectiveRecords(observation);
  if (records?.outcome === "match") return { state: "live", events: ["domain.restored"] };
  const errorCode = records?.error ?? connection.errorCode;
  return { state: "drifted", errorCode, ...afterConsent(observation) };
}

/** A phase that has run for too long fails, unless this check has just ended it. */
function timedOut(
  connection: Connection,
  now: Date,
  settings: LifecycleSettings,
  step: Step,
): Step {
  const phase = connectionPhase(connection.state);
  const mustGiveUp = phase !== null && elapsed(connection, now) >= settings.giveUpAfterMs;
  if (!mustGiveUp || connectionPhase(step.state) !== phase || connection.state === "created")
    return step;
  return {
    state: "failed",
    errorCode: `${phase}_timeout`,
    events: ["domain.failed"],
    claim: "release",
  };
}

/**
 * Waiting for our own or the CA's budget, for a CA that is away, or for the end of a contest, is
 * not failing: the phase does not run meanwhile.
 */
function phaseStart(connection: Connection, step: Step, now: Date, isPaused: boolean): Date {
  if (connectionPhase(step.state) !== connectionPhase(connection.state)) return now;
  const { phaseStartedAt, lastCheckedAt } = connection;
  if (!isPaused) return phaseStartedAt;
  const pausedMs =
    now.getTime() - Math.max(phaseStartedAt.getTime(), lastCheckedAt?.getTime() ?? 0);
  return new Date(phaseStartedAt.getTime() + Math.max(0, pausedMs));
}

function elapsed(connection: Connection, now: Date): number {
  return now.getTime() - connection.phaseStartedAt.getTime();
}

function same(connection: Connection): Step {
  return { state: connection.state, errorCode: connection.errorCode };
}
