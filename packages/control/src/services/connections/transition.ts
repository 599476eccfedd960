import type { Tx } from "../../db/engine/transaction.ts";
import {
  dropCertificate,
  hastenCertificate,
  storeProbed,
  wantCertificate,
} from "../../db/queries/certificates/certificates.ts";
import { countCachedFrom, storeCachedUntil } from "../../db/queries/connections/cached-answers.ts";
import { deleteClaim, selectClaimHolder } from "../../db/queries/connections/claims.ts";
import {
  type ConnectionUpdate,
  lockConnection,
  updateConnection,
} from "../../db/queries/connections/connections.ts";
import { announceDue, endUnchangedCheck } from "../../db/queries/connections/due-connections.ts";
import { lockHostname } from "../../db/queries/connections/hostname-locks.ts";
import { insertTimeline } from "../../db/queries/connections/timeline.ts";
import { saveTroubles, selectTroubleFacts } from "../../db/queries/connections/troubles.ts";
import { type AuditSource, insertAudit, sourceIn } from "../../db/queries/operator/audit.ts";
import { insertEvent } from "../../db/queries/webhooks/events.ts";
import { liveIntervalMs } from "../../domain/backoff.ts";
import type { CertificateSource } from "../../domain/certificates/certificate.ts";
import { needsDelegation, validationZoneFor } from "../../domain/certificates/validation.ts";
import { type Connection, contestSnapshot } from "../../domain/connections/connection.ts";
import { type ContestFacts, contestRestMs } from "../../domain/connections/contest.ts";
import { frontAfter } from "../../domain/connections/front.ts";
import {
  type Decision,
  decide,
  type LifecycleSettings,
} from "../../domain/connections/lifecycle.ts";
import type { ClaimState, Observation } from "../../domain/connections/observation.ts";
import {
  noTroubleFacts,
  type Trouble,
  type TroubleFacts,
  withTroubles,
} from "../../domain/connections/trouble.ts";
import { newOwnership } from "../../domain/ownership/proofs.ts";
import { isMagic, sandboxContestMs } from "../../domain/sandbox/sandbox.ts";
import type { EventType } from "../../domain/webhooks/event.ts";
import { exceedsQuota } from "../billing/admission.ts";
import { countCertificate } from "../billing/usage.ts";
import type { Runtime } from "../runtime.ts";
import { isInSandbox, isWatched } from "../sandbox/watch.ts";
import { archiveIn } from "./archive.ts";
import { noteFirstFinding } from "./checks/first-finding.ts";
import type { ConnectionCheck } from "./checks/observe.ts";
import { isUnchanged } from "./checks/unchanged.ts";
import { endContests, readContestFacts, writeContestMove } from "./contest.ts";
import { type ChosenTarget, chooseLabel, chooseTarget, noteTarget } from "./labels.ts";
import { isProofCurrent } from "./needed.ts";
import { readClaimState } from "./read.ts";
import { takeClaim } from "./take-claim.ts";

interface Applying {
  /** Who waits for the result: an order that was put off is then tried again at once. */
  readonly askedBy?: AuditSource | null;
  /** The lease of the worker whose check it is. */
  readonly lease?: number | null;
  /** What the name servers answered, for the words of what is wrong. */
  readonly answers?: Pick<ConnectionCheck, "proof" | "records"> | null;
}

/**
 * The only writer of a connection's state. Under the hostname's lock it reads the claim, calls the
 * lifecycle's `decide`, and writes row, claim, events, timeline and certificate request in one
 * transaction. Null when the row was written since it was read, or leased since the lease in
 * question, or what proves ownership no longer does: the observation is then stale and nothing is
 * written.
 */
export async function applyObservation(
  runtime: Runtime,
  connection: Connection,
  observation: Observation,
  { askedBy = null, lease = null, answers = null }: Applying = {},
): Promise<Connection | null> {
  const isAsked = askedBy !== null;
  return runtime.system(async (tx) => {
    await lockHostname(tx, connection.hostname);
    if (!(await isProofCurrent(runtime, tx, connection, observation))) return null;
    const now = runtime.clock.now();
    const claim = await readClaimState(tx, connection);
    const watched = { isWatched: isAsked || (await isWatched(tx, connection, now)) };
    const quota = { exceedsQuota: await exceedsQuota(runtime, tx, connection, observation) };
    const settings = { ...lifecycleSettings(runtime, connection), ...watched, ...quota };
    const contests = await readContestFacts(tx, connection, claim, settings.contestRestMs);
    const decided = decide(woken(connection), observation, claim, now, settings, contests);
    const facts =
      decided.state === "live"
        ? {
            ...(await selectTroubleFacts(tx, connection)),
            ...validationFacts(runtime, connection, observation, now),
          }
        : noTroubleFacts;
    const { decision, changed } = withTroubles(decided, observation, facts, now);
    const label = await chooseLabel(runtime, tx, connection);
    const target = await chooseTarget(runtime, tx, connection);
    const seen = { connection, observation, claim, contests, facts, label, target };
    const writing = { ...seen, decision, isAsked, askedBy, lease, now, changed };
    const written = await writeDecision(runtime, tx, writing);
    if (written && answers) await noteFirstFinding(runtime, tx, connection, written, answers);
    return written;
  });
}

function validationFacts(
  { config }: Pick<Runtime, "config">,
  connection: Connection,
  { validation, front: sight }: Observation,
  now: Date,
): Pick<TroubleFacts, "validation"> {
  const front = frontAfter(connection.front, sight, now);
  if (!needsDelegation({ ...connection, front })) return { validation: null };
  const isOffered = validationZoneFor(config.validationZone, connection.hostname) !== null;
  if (validation === null) return { validation: isOffered ? "unknown" : "missing" };
  return { validation: validation === "right" ? "present" : "missing" };
}

/** The observation was made: what prevented checks has ended. */
function woken(connection: Connection): Connection {
  return connection.errorCode === "check_failed" ? { ...connection, errorCode: null } : connection;
}

/**
 * A new proof of ownership takes the hostname over from a holder that has drifted or lost a
 * contest.
 */
async function archiveHolder(
  runtime: Runtime,
  tx: Tx,
  { connection, claim, decision, now }: Writing,
): Promise<void> {
  const holder = await selectClaimHolder(tx, connection.hostname);
  const loser = holder ? await lockConnection(tx, holder.connectionId) : null;
  const why =
    claim === "drifted" || decision.contestMove.is === "taken_over"
      ? ({ actor: "takeover", reason: "taken_over" } as const)
      : ({ actor: "contest", reason: "contest_lost" } as const);
  if (loser) await archiveIn(runtime, tx, loser, { now, ...why });
}

interface Writing {
  readonly connection: Connection;
  readonly observation: Observation;
  readonly claim: ClaimState;
  readonly contests: ContestFacts;
  readonly decision: Decision;
  readonly isAsked: boolean;
  readonly askedBy: AuditSource | null;
  readonly lease: number | null;
  readonly now: Date;
  readonly facts: TroubleFacts;
  readonly label: string | null;
  readonly target: ChosenTarget;
  /** Trouble that begins, changes or ends with this check. */
  readonly changed: readonly Trouble[];
}

async function writeDecision(
  runtime: Runtime,
  tx: Tx,
  writing: Writing,
): Promise<Connection | null> {
  const { connection, observation, claim, decision, now } = writing;
  const written = await writeRow(tx, writing);
  // Nothing may be written before this line: a stale observation must leave no trace.
  if (!written) return null;
  await noteTarget(tx, written, writing.target, now);
  await writeContestMove(runtime, tx, written, writing.contests, decision.contestMove, now);
  const isHeld = claim === "drifted" || claim === "held";
  if (decision.claim === "take" && isHeld) await archiveHolder(runtime, tx, writing);
  await takeClaim(runtime, tx, written, { before: connection, decision, now });
  if (decision.claim === "release") {
    await deleteClaim(tx, written);
    await dropCertificate(tx, written);
    await endContests(tx, connection, now);
  }
  if (decision.wantsCertificate) await wantCertificate(tx, written, now);
  await followDns(tx, writing);
  if (observation.probe && observation.certificate)
    await storeProbed(tx, written, observation, now);
  const isBrought = writing.facts.renewal?.isOwn === true || observation.certificate?.isImported;
  if (decision.newCertificate && !isBrought)
    await countCertificate(tx, written, decision.newCertificate, now);
  if (decision.newCertificate) await noteCertificate(tx, writing, written);
  await saveTroubles(tx, written, writing.changed);
  for (const [index, type] of decision.events.entries()) {
    const sequence = connection.sequence + 1 + index;
    await insertEvent(tx, written, { type, sequence, at: now, data: eventData(type, writing) });
  }
  await noteChange(tx, writing, written);
  if (decision.nextCheckMs === 0) announceDue(tx, "connections");
  return written;
}

/** A check that changes nothing of a live connection writes its row of the queue alone. */
async function writeRow(tx: Tx, writing: Writing): Promise<Connection | null> {
  const { connection, observation, lease, now } = writing;
  const update = toUpdate(writing);
  if (!isUnchanged(connection, update)) {
    return updateConnection(tx, { ...connection, lease }, update, now);
  }
  const ended = { now, dueAt: update.dueAt, hasObserved: observedNow(observation) !== null };
  const { observedRecords } = update;
  return (await endUnchangedCheck(tx, connection, lease, ended))
    ? { ...connection, observedRecords, lastCheckedAt: now }
    : null;
}

const recordErrors: ReadonlySet<string | null> = new Set([
  "record_missing",
  "record_mismatch",
  "record_conflict",
  "proxied",
]);

/** What the records mean for caches and for an order that was put off. */
async function followDns(tx: Tx, writing: Writing): Promise<void> {
  const { connection, observation, decision, isAsked, now } = writing;
  const { records } = observation;
  if (records?.outcome === "wrong" && records.cachedUntil !== null) {
    await storeCachedUntil(tx, connection.id, records.cachedUntil);
  }
  if (records?.outcome !== "match") return;
  const isFirstMatch = recordErrors.has(connection.errorCode) || isNewlyRight(writing);
  if (isFirstMatch && connection.lastCheckedAt !== null) {
    await countCachedFrom(tx, connection.id, connection.lastCheckedAt, now);
  }
  if (isAsked || isFirstMatch) await hastenCertificate(tx, connection, now, "any");
  else if (decision.wantsCertificate) await hastenCertificate(tx, connection, now, "waiting");
}

function isNewlyRight({ connection, decision }: Writing): boolean {
  return decision.state === "issuing_cert" && connection.state !== "issuing_cert";
}

/** What an event of this type carries beside the connection. */
function eventData(type: EventType, writing: Writing): object {
  const { connection, observation, decision } = writing;
  if (type === "domain.records_changed") {
    const { desiredRecords, pendingRecords } = decision.records;
    return { desired_records: desiredRecords, pending_records: pendingRecords };
  }
  // The records of a stalled connection were seen.
  if (type === "domain.changed") return { changed: ["state"] };
  if (type.startsWith("certificate.")) return { certificate: troubleData(type, writing) };
  if (type === "domain.verified") return silentServers(writing);
  if (type === "domain.contest_won") {
    return { contest: contestSnapshot(connection.contest), reason: "proven" };
  }
  if (type !== "ssl.issued") return {};
  const { ca = null, notAfter = null } = observation.certificate ?? {};
  const source = certificateSource(writing);
  return {
    renewal: connection.certificateId !== null,
    certificate: { ca, source, not_after: notAfter?.toISOString() ?? null },
  };
}

/** Whose the certificate is that is reported as being in place. */
function certificateSource({ facts, observation }: Writing): CertificateSource {
  if (observation.probe) return "external";
  return facts.renewal?.isOwn === true ? "own" : "automatic";
}

/** When a certificate in trouble ends, why it was not renewed, and when that is tried again. */
function troubleData(type: EventType, { facts, changed, observation, now }: Writing): object {
  const kind = type === "certificate.expired" ? "certificate_expired" : "certificate_at_risk";
  const begun = changed.find((trouble) => trouble.kind === kind && trouble.closedAt === null);
  const { notAfter = null, nextAttemptAt = null } = facts.renewal ?? {};
  // An attempt that is due is under way or about to be.
  const attemptAt = nextAttemptAt && new Date(Math.max(nextAttemptAt.getTime(), now.getTime()));
  const seen = observation.probe?.outcome === "valid" ? observation.probe.certificate : null;
  return {
    not_after: (seen?.notAfter ?? notAfter)?.toISOString() ?? null,
    reason: type === "certificate.recovered" ? null : (begun?.reason ?? null),
    next_attempt_at: attemptAt?.toISOString() ?? null,
  };
}

/** The servers without whose answer ownership was decided. */
function silentServers({ observation }: Writing): { readonly silent_servers?: readonly string[] } {
  const passedOver = observation.silence?.passedOver ?? [];
  return passedOver.length > 0 ? { silent_servers: passedOver } : {};
}

function toUpdate(writing: Writing): ConnectionUpdate {
  const { connection, observation, decision, isAsked, now } = writing;
  const isNew = decision.state !== connection.state;
  return {
    state: decision.state,
    setupType: decision.setupType,
    errorCode: decision.errorCode,
    zone: decision.records.zone,
    desiredRecords: decision.records.desiredRecords,
    pendingRecords: decision.records.pendingRecords,
    observedRecords: observedNow(observation) ?? connection.observedRecords,
    phaseStartedAt: decision.phaseStartedAt,
    checks: isNew ? 0 : connection.checks + 1,
    misses: decision.misses,
    firstMissAt: decision.firstMissAt,
    firstLiveAt: connection.firstLiveAt ?? (decision.state === "live" ? now : null),
    lastCheckedAt: now,
    certificateId: decision.newCertificate ?? connection.certificateId,
    sequence: connection.sequence + decision.events.length,
    archivedAt: connection.archivedAt,
    contest: decision.claim === "release" ? null : decision.contest,
    silentServers: observation.silence?.since,
    cutover: decision.cutover,
    front: frontAfter(connection.front, observation.front, now),
    validation: {
      validationLabel: writing.label,
      validationStatus: observation.validation ?? connection.validationStatus,
    },
    targetLabel: writing.target.label,
    ownership: newOwnership(decision, observation, now),
    watchedAt: (isNew || isAsked) && isInSandbox(connection) ? now : undefined,
    dueAt: decision.nextCheckMs === null ? null : spread(now, decision),
  };
}

/** What was seen of the records that the connection has from now on. */
function observedNow({ records, moving }: Observation): Connection["observedRecords"] | null {
  return (moving?.records.outcome === "match" ? moving.records : records)?.observed ?? null;
}

/** ±10 % on the long interval, so that names connected together are not checked together. */
function spread(now: Date, { state, nextCheckMs }: Decision): Date {
  const factor = state === "live" ? 0.9 + Math.random() * 0.2 : 1;
  return new Date(now.getTime() + Math.round((nextCheckMs ?? 0) * factor));
}

/**
 * What keeps a certificate from being issued or renewed: its beginning and end belong to its
 * history.
 */
const certificateErrors: ReadonlySet<string | null> = new Set([
  "caa_forbidden",
  "ca_rate_limited",
  "ca_unavailable",
  "certificate_failed",
  "certificate_timeout",
  "certificate_at_risk",
  "certificate_expired",
]);

/** The history of the certificates: the first one, and each that replaced it. */
async function noteCertificate(tx: Tx, writing: Writing, after: Connection): Promise<void> {
  const { connection, observation, now } = writing;
  const { ca, notAfter } = observation.certificate ?? {};
  await insertTimeline(tx, after, {
    kind: "certificate",
    fromState: null,
    toState: null,
    errorCode: null,
    details: {
      outcome: connection.certificateId === null ? "issued" : "renewed",
      ...(ca ? { ca } : {}),
      ...(notAfter ? { not_after: notAfter.toISOString() } : {}),
    },
    createdAt: now,
  });
}

async function noteChange(tx: Tx, writing: Writing, after: Connection): Promise<void> {
  const { connection: before, now } = writing;
  const isMove = before.state !== after.state;
  const isNews = before.errorCode !== after.errorCode || before.misses !== after.misses;
  if (!isMove && !isNews) return;
  const isOfCertificate = certificateErrors.has(after.errorCode ?? before.errorCode);
  await insertTimeline(tx, after, {
    kind: isMove ? "state" : isOfCertificate ? "certificate" : "check",
    fromState: isMove ? before.state : null,
    toState: isMove ? after.state : null,
    errorCode: after.errorCode,
    details: {
      ...(after.misses > 0 ? { misses: after.misses } : {}),
      ...silentServers(writing),
      ...faultDetails(writing, after),
    },
    createdAt: now,
    by: writing.askedBy,
  });
  if (isMove) await auditMove(tx, writing, after);
}

/** Why there is no certificate: the CA's own words, or what the edge found. */
function faultDetails({ observation }: Writing, { errorCode }: Connection): object {
  const fault = certificateErrors.has(errorCode) ? observation.certificate?.fault : null;
  if (!fault) return {};
  const { type, detail } = fault;
  return type === null ? { cause: detail } : { ca_error: { type, detail } };
}

/** A transition is a change like any other; by default it is the service's own. */
async function auditMove(tx: Tx, writing: Writing, after: Connection) {
  const { connection, askedBy, now, observation } = writing;
  const isByDns = observation.ownership?.isByDns === true;
  await insertAudit(tx, {
    tenantId: after.tenantId,
    environment: after.environment,
    at: now,
    ...sourceIn(askedBy ?? { actor: "worker" }),
    action: "connection.transition",
    subject: `connection:${after.id}`,
    details: {
      from: connection.state,
      to: after.state,
      error_code: after.errorCode,
      ...(isByDns && after.state === "verified" ? { ownership: "trusted_dns" } : {}),
    },
  });
}

export function lifecycleSettings(runtime: Runtime, connection: Connection): LifecycleSettings {
  const { config } = runtime;
  return {
    recheckIntervalMs: liveIntervalMs(connection, runtime.clock.now(), {
      shortMs: config.recheckIntervalMs,
      longMs: config.recheckIntervalStableMs,
    }),
    stallAfterMs: config.stallAfterMs,
    giveUpAfterMs: config.giveUpAfterMs,
    ...contestTimes(runtime, connection),
    isSandbox: isInSandbox(connection),
    hasExternalEdge: hasExternalEdge(runtime, connection),
  };
}

/** A sandbox name may ask for a contest that can be waited for. */
export function contestTimes(
  { config }: Pick<Runtime, "config">,
  connection: Connection,
): Pick<LifecycleSettings, "contestAfterMs" | "contestRestMs"> {
  const isShort = isInSandbox(connection) && isMagic(connection.hostname, "contest");
  return isShort
    ? { contestAfterMs: sandboxContestMs, contestRestMs: sandboxContestMs }
    : { contestAfterMs: config.contestAfterMs, contestRestMs };
}

/** Sandbox names are always served by our own edge: no public CA issues for them. */
export function hasExternalEdge(
  { config }: Pick<Runtime, "config">,
  connection: Connection,
): boolean {
  return config.edgeKind === "external" && !isInSandbox(connection);
}
