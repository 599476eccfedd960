import { type CadenceSettings, confirmMs, nextCheckMs } from "./backoff.ts";
import type { Certificate } from "./certificate.ts";
import {
  type Connection,
  type ConnectionError,
  type ConnectionState,
  phaseOf,
} from "./connection.ts";
import type { EventType } from "./event.ts";
import type { ClaimState, Observation } from "./observation.ts";

export interface LifecycleSettings extends CadenceSettings {
  readonly stallAfterMs: number;
  readonly giveUpAfterMs: number;
  /** Certificates are then somebody else's work: they are looked at, not asked for. */
  readonly hasExternalEdge: boolean;
}

/** What follows from a look at a connection. The writer carries it out in one transaction. */
export interface Decision {
  readonly state: ConnectionState;
  readonly errorCode: ConnectionError | null;
  readonly setupType: Connection["setupType"];
  readonly events: readonly EventType[];
  /** `take` also archives a drifted holder; `release` frees the hostname for others. */
  readonly claim: "take" | "release" | "keep";
  /** The certificate that this look tells of for the first time; null when there is no news. */
  readonly newCertificate: string | null;
  /** The certificate's row becomes due. */
  readonly wantsCertificate: boolean;
  readonly misses: number;
  readonly firstMissAt: Date | null;
  /** Null when nothing is to be looked at again. */
  readonly nextCheckMs: number | null;
}

/** A provider's own servers mostly have what it was told within a moment. */
const shownAfterMs = 1_000;

type Step = Partial<Decision> & { readonly state: ConnectionState };

/** The only place that knows the transitions. Pure and total: every state takes every observation. */
export function decide(
  connection: Connection,
  seen: Observation,
  claim: ClaimState,
  now: Date,
  settings: LifecycleSettings,
): Decision {
  const step = timedOut(connection, now, settings, stepFor(connection, seen, claim, now, settings));
  const isNew = step.state !== connection.state;
  const checks = isNew ? 0 : connection.checks + 1;
  return {
    errorCode: null,
    setupType: connection.setupType,
    events: [],
    claim: "keep",
    newCertificate: null,
    wantsCertificate: false,
    misses: 0,
    firstMissAt: null,
    nextCheckMs: nextCheckMs(step.state, checks, settings),
    ...step,
    ...(settings.hasExternalEdge ? { wantsCertificate: false } : {}),
  };
}

function stepFor(
  connection: Connection,
  seen: Observation,
  claim: ClaimState,
  now: Date,
  settings: LifecycleSettings,
): Step {
  switch (connection.state) {
    case "created":
      return { state: "pending_ownership", events: ["domain.added"] };
    case "pending_ownership":
    case "verifying":
      return ownership(connection, seen, claim);
    case "verified":
      return chooseSetup(connection, seen);
    case "dns_writing":
      return writing(connection, seen, now, settings);
    case "propagating":
    case "stalled":
      return propagation(connection, seen, now, settings);
    case "issuing_cert":
      return certificate(connection, seen);
    case "live":
      return watching(connection, seen, now, settings);
    case "drifted":
      return recovering(connection, seen);
    case "failed":
      // Only a verify looks at a failed connection: its ownership phase starts anew, same challenge.
      return seen.ownership ? ownership(connection, seen, claim) : same(connection);
    case "archived":
      return same(connection);
  }
}

function ownership(connection: Connection, seen: Observation, claim: ClaimState): Step {
  const proof = seen.ownership;
  if (!proof) return same(connection);
  switch (proof.outcome) {
    case "match":
      if (claim === "held") return { state: "pending_ownership", errorCode: "hostname_conflict" };
      return { state: "verified", claim: "take", events: ["domain.verified"] };
    case "partial":
      return { state: "verifying", errorCode: proof.error };
    case "mismatch":
    case "absent":
      return {
        state: "pending_ownership",
        errorCode: proof.error,
        ...afterOwnWrite(connection, seen),
      };
    case "unknown":
      return {
        state: connection.state === "verifying" ? "verifying" : "pending_ownership",
        errorCode: proof.error,
      };
  }
}

/** The proof was looked for, not found, and then written by us: it should be there in a moment. */
function afterOwnWrite(connection: Connection, { write }: Observation): Partial<Decision> {
  if (write?.outcome === "written")
    return { nextCheckMs: shownAfterMs * 2 ** Math.min(connection.checks, 8) };
  if (write?.outcome === "refused") return { errorCode: write.error, setupType: "manual" };
  return {};
}

function chooseSetup(connection: Connection, seen: Observation): Step {
  if (seen.credential === null) return same(connection);
  if (seen.credential === "usable") return { state: "dns_writing" };
  // Many customers add all records together: the first look is at once, the cadence comes after.
  return { state: "propagating", nextCheckMs: 0 };
}

function writing(
  connection: Connection,
  seen: Observation,
  now: Date,
  settings: LifecycleSettings,
): Step {
  const { write } = seen;
  if (!write) return same(connection);
  if (write.outcome === "written") return { state: "propagating", nextCheckMs: shownAfterMs };
  const isForGood =
    write.outcome === "refused" || elapsed(connection, now) >= settings.stallAfterMs;
  if (isForGood) return { state: "propagating", errorCode: write.error, setupType: "manual" };
  return { state: "dns_writing", errorCode: write.error, nextCheckMs: write.retryAfterMs };
}

function propagation(
  connection: Connection,
  seen: Observation,
  now: Date,
  settings: LifecycleSettings,
): Step {
  const { records } = seen;
  if (records?.outcome === "match") {
    const isForbidden = seen.caa === "forbidden";
    return {
      state: "issuing_cert",
      errorCode: isForbidden ? "caa_forbidden" : null,
      wantsCertificate: !isForbidden,
      // Nobody tells of a foreign edge's certificate: the first look at it is at once.
      ...(settings.hasExternalEdge ? { nextCheckMs: 0 } : {}),
    };
  }
  const isLate = elapsed(connection, now) >= settings.stallAfterMs;
  return {
    state: isLate ? "stalled" : connection.state,
    errorCode: refusedWrite(connection) ?? records?.error ?? connection.errorCode,
    ...afterConsent(seen),
  };
}

/** A customer may consent at their provider when the records are awaited, or have been lost. */
function afterConsent({ write }: Observation): Partial<Decision> {
  if (write?.outcome === "written") return { nextCheckMs: shownAfterMs };
  if (write?.outcome === "refused") return { errorCode: write.error, setupType: "manual" };
  return {};
}

/** A refused write stays the reason until the records are seen or another write is made. */
function refusedWrite(connection: Connection): ConnectionError | null {
  return connection.errorCode?.startsWith("provider_") ? connection.errorCode : null;
}

function certificate(connection: Connection, seen: Observation): Step {
  if (validCertificate(seen)) {
    const isFirst = connection.firstLiveAt === null;
    const events: EventType[] = isFirst ? ["ssl.issued", "domain.flow.completed"] : ["ssl.issued"];
    return { state: "live", events, newCertificate: newCertificate(connection, seen) };
  }
  if (seen.caa === "forbidden") return { state: "issuing_cert", errorCode: "caa_forbidden" };
  // Asked for in every look until it is there: an edge that was away finds the row due.
  const isBlocked = seen.records?.outcome === "wrong";
  const error = isBlocked ? seen.records.error : (seen.certificate?.errorCode ?? null);
  return { state: "issuing_cert", errorCode: error, wantsCertificate: !isBlocked };
}

function validCertificate({ certificate: found }: Observation): Certificate | null {
  return found?.status === "issued" || found?.status === "renewing" ? found : null;
}

/** A valid certificate that was not told of yet: the first one, or a renewal. */
function newCertificate(connection: Connection, seen: Observation): string | null {
  const issueId = validCertificate(seen)?.issueId ?? null;
  return issueId === connection.certificateId ? null : issueId;
}

/** Drift needs two looks that show other values, the second a while after the first. */
function watching(
  connection: Connection,
  seen: Observation,
  now: Date,
  settings: LifecycleSettings,
): Step {
  const { records } = seen;
  const { misses, firstMissAt } = connection;
  const renewed = newCertificate(connection, seen);
  const events: EventType[] = renewed ? ["ssl.issued"] : [];
  if (records?.outcome === "match") return { state: "live", events, newCertificate: renewed };
  if (records?.outcome !== "wrong") {
    const confirming = misses > 0 ? { nextCheckMs: confirmMs(settings) } : {};
    return { state: "live", errorCode: connection.errorCode, misses, firstMissAt, ...confirming };
  }
  if (misses === 0 || firstMissAt === null) {
    return { state: "live", misses: 1, firstMissAt: now, nextCheckMs: confirmMs(settings) };
  }
  const remainingMs = confirmMs(settings) - (now.getTime() - firstMissAt.getTime());
  if (remainingMs > 0) return { state: "live", misses, firstMissAt, nextCheckMs: remainingMs };
  return { state: "drifted", errorCode: records.error, events: ["domain.drift"] };
}

function recovering(connection: Connection, seen: Observation): Step {
  if (seen.records?.outcome === "match") return { state: "live", events: ["domain.restored"] };
  const errorCode = seen.records?.error ?? connection.errorCode;
  return { state: "drifted", errorCode, ...afterConsent(seen) };
}

/** A phase that has run for too long ends, unless this very look ended it. */
function timedOut(
  connection: Connection,
  now: Date,
  settings: LifecycleSettings,
  step: Step,
): Step {
  const phase = phaseOf(connection.state);
  const isOver = phase !== null && elapsed(connection, now) >= settings.giveUpAfterMs;
  if (!isOver || phaseOf(step.state) !== phase || connection.state === "created") return step;
  return {
    state: "failed",
    errorCode: `${phase}_timeout`,
    events: ["domain.failed"],
    claim: "release",
  };
}

function elapsed(connection: Connection, now: Date): number {
  return now.getTime() - connection.phaseStartedAt.getTime();
}

function same(connection: Connection): Step {
  return { state: connection.state, errorCode: connection.errorCode };
}
