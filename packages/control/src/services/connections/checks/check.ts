import type { DueRows, RunningRow } from "@mooring/postgres";
import { selectConnection } from "../../../db/queries/connections/connections.ts";
import {
  type BusyQueue,
  claimDueConnections,
  type DueConnection,
  extendLeases,
  putOffConnection,
  releaseConnection,
} from "../../../db/queries/connections/due-connections.ts";
import type { AuditSource } from "../../../db/queries/operator/audit.ts";
import { parkConnection } from "../../../db/queries/operator/parked-rows.ts";
import {
  type Connection,
  connectionPhase,
  holdsClaim,
} from "../../../domain/connections/connection.ts";
import { isCuttingOver, loweredTtlSeconds } from "../../../domain/connections/cutover.ts";
import {
  type CredentialAvailability,
  emptyObservation,
  type Observation,
  type WriteResult,
} from "../../../domain/connections/observation.ts";
import { askForTenant } from "../../dns-view.ts";
import { canWrite, writeRecords } from "../../dns-write/writer.ts";
import { writeByGrant } from "../../domain-connect/apply-grant.ts";
import { usableGrant } from "../../domain-connect/grant.ts";
import { oauthClients } from "../../oauth/clients.ts";
import { isRowFault } from "../../row-fault.ts";
import type { Runtime } from "../../runtime.ts";
import { noteDiagnosis } from "../diagnosis/get.ts";
import { allowedProofs } from "../needed.ts";
import { applyObservation } from "../transition.ts";
import { needsDiagnosis } from "./first-finding.ts";
import { type CheckScope, type ConnectionCheck, observe } from "./observe.ts";
import { observeRoutine } from "./observe-routine.ts";
import { probeExternalEdge } from "./probe.ts";
import { askUnlessCrowded, type PutOff } from "./tenant-share.ts";

export type { DueConnection } from "../../../db/queries/connections/due-connections.ts";

export interface CheckResult {
  /** As it is after the check. */
  readonly connection: Connection;
  readonly check: ConnectionCheck;
}

/** How often the observation is applied again when workers lease the row meanwhile. */
const maxAttempts = 4;

/**
 * Checks a connection at once, for a caller who waits. When a worker has leased or written the row
 * meanwhile, the observation is applied to the row as it is now: it is as fresh as the worker's.
 */
export async function checkNow(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
  scope: CheckScope,
  askedBy: AuditSource,
): Promise<CheckResult> {
  const check = await askForTenant(connection, () => observe(runtime, connection, signal, scope));
  let current = connection;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (current.state === "archived") break;
    const applied = await applyObservation(runtime, current, check.observation, {
      askedBy,
      answers: check,
    });
    if (applied) return { connection: applied, check };
    current = (await reread(runtime, connection.id)) ?? current;
  }
  return { connection: current, check };
}

function reread(runtime: Runtime, id: string): Promise<Connection | null> {
  return runtime.system((tx) => selectConnection(tx, id));
}

/**
 * Checks a row that a worker has leased; null when the lease was lost and nothing was written.
 * Rejects with `PutOff` when name servers are busy with others of the tenant.
 */
export async function checkLeased(
  runtime: Runtime,
  connection: DueConnection,
  signal: AbortSignal,
): Promise<Connection | null> {
  if (mayHaveRecovered(connection)) return checkRecovered(runtime, connection, signal);
  const check = await askUnlessCrowded(connection, signal, async (inner) => {
    const confirmed = await observeRoutine(runtime, connection, inner);
    return confirmed ?? (await observe(runtime, connection, inner));
  });
  return askForTenant(connection, () => actOn(runtime, connection, check, signal));
}

async function actOn(
  runtime: Runtime,
  connection: DueConnection,
  check: ConnectionCheck,
  signal: AbortSignal,
): Promise<Connection | null> {
  const current = withRequested(connection, check);
  const write = await writeFor(runtime, current, check, signal);
  await proveAgain(runtime, connection, check, signal);
  const probe = await probeExternalEdge(runtime, connection, check, signal);
  const observation = { ...check.observation, ...write, ...probe };
  const { lease } = connection;
  const applied = await applyObservation(runtime, connection, observation, {
    lease,
    answers: check,
  });
  if (applied && needsDiagnosis(connection, applied)) await noteDiagnosis(runtime, applied, signal);
  return applied;
}

/** Nothing but its origin is wrong with it, of which the edges and not DNS tell. */
function mayHaveRecovered(connection: Connection): boolean {
  const { state, errorCode, contest, pendingRecords } = connection;
  const isAlone = contest === null && pendingRecords === null;
  return state === "live" && errorCode === "origin_unreachable" && isAlone;
}

/** What the edges reported is written first: it does not wait for the answers of name servers. */
async function checkRecovered(
  runtime: Runtime,
  leased: DueConnection,
  signal: AbortSignal,
): Promise<Connection | null> {
  const { lease } = leased;
  const connection = await applyObservation(runtime, leased, emptyObservation, { lease });
  if (connection === null) return null;
  return askForTenant(connection, async () => {
    const check = await observe(runtime, connection, signal);
    const probe = await probeExternalEdge(runtime, connection, check, signal);
    const observation = { ...check.observation, ...probe };
    return (await applyObservation(runtime, connection, observation)) ?? connection;
  });
}

/** Gives the lease back, as if the check had been due later. */
export async function putOffCheck(
  { database, clock }: Runtime,
  connection: DueConnection,
  { retryAfterMs }: PutOff,
): Promise<void> {
  const now = clock.now();
  const dueAt = new Date(now.getTime() + retryAfterMs);
  await putOffConnection(database, connection, { now, dueAt });
}

/** What a worker's check writes at the DNS provider, where it may. */
function writeFor(
  runtime: Runtime,
  connection: Connection,
  check: ConnectionCheck,
  signal: AbortSignal,
): Promise<Pick<Observation, "credential" | "write">> {
  if (isMoving(connection, check)) return migrate(runtime, connection, signal);
  const isPrepared = isCuttingOver(connection) && connectionPhase(connection.state) !== "ownership";
  if (isPrepared) return delegate(runtime, connection, check, signal);
  return writeAutomatically(runtime, connection, check, signal);
}

/** The connection with the records that the check has found to be requested now. */
function withRequested(connection: Connection, { observation }: ConnectionCheck): Connection {
  const { requested } = observation;
  if (requested === null) return connection;
  return { ...connection, desiredRecords: requested.desired, pendingRecords: requested.pending };
}

/** Rows in the slots of a worker: those that count against its concurrency, and all. */
export const checkSlots = { concurrency: 64, maxConcurrency: 512 };

/**
 * An eighth of the slots is always free of one tenant's rows; its test environment gets a quarter.
 */
const shares = {
  tenant: { recent: checkSlots.concurrency * 0.875, running: checkSlots.maxConcurrency * 0.875 },
  test: { recent: checkSlots.concurrency / 4, running: checkSlots.maxConcurrency / 4 },
};

/**
 * A check that was put off counts as two slots of its tenant for a second: a backlog that only
 * waits for name servers is not run through as fast as the worker can.
 */
const putOffSlots = 2;

function busyQueues(
  running: readonly RunningRow<DueConnection>[],
  putOff: readonly DueConnection[],
): readonly BusyQueue[] {
  const queues = new Map<string, BusyQueue>();
  const add = ({ tenantId, environment, lane }: DueConnection, recent: number, all: number) => {
    const key = `${tenantId} ${environment} ${lane}`;
    const before = queues.get(key) ?? { recent: 0, running: 0 };
    const counts = { recent: before.recent + recent, running: before.running + all };
    queues.set(key, { tenantId, environment, lane, ...counts });
  };
  for (const { row, isSlow } of running) add(row, isSlow ? 0 : 1, 1);
  for (const row of putOff) add(row, putOffSlots, 0);
  return [...queues.values()];
}

/**
 * Connections due for a check, as rows that a worker leases. `putOff` are those whose check was put
 * off within the last second.
 */
export function dueConnections(
  runtime: Runtime,
  putOff: () => readonly DueConnection[] = () => [],
): DueRows<DueConnection> {
  const { database } = runtime;
  return {
    table: "connections",
    idOf: (connection) => connection.id,
    versionOf: (connection) => connection.lease,
    claim: (now, until, limit, running) =>
      claimDueConnections(database, now, until, limit, {
        busy: busyQueues(running, putOff()),
        shares,
      }),
    extend: (leased, until) => extendLeases(database, leased, until),
    release: (connection, dueAt, failures) =>
      releaseConnection(database, connection, dueAt, failures),
    parking: {
      failuresOf: ({ failures }) => failures,
      isRowFault,
      park: (connection, parked) =>
        runtime.transaction((tx) =>
          parkConnection(tx, connection, { ...parked, now: runtime.clock.now() }),
        ),
    },
  };
}

/**
 * The automatic write. With the customer's Domain Connect consent, or a stored credential that may
 * be used, a worker's check also publishes the ownership record and then the desired records. The
 * result is part of the observation.
 */
async function writeAutomatically(
  runtime: Runtime,
  connection: Connection,
  check: ConnectionCheck,
  signal: AbortSignal,
): Promise<Pick<Observation, "credential" | "write">> {
  const { state } = connection;
  const isOwnership = needsOwnershipRecord(connection, check);
  const isAwaited = state === "propagating" || state === "stalled" || state === "drifted";
  const isOurs = isOwnership || state === "verified" || state === "dns_writing";
  if (!isOurs && !isAwaited) return nothingToWrite;
  // The customer's own consent for this name takes precedence over the tenant's credential.
  const grant = await usableGrant(runtime, connection);
  if (isAwaited && (grant === null || grant.appliedAt !== null)) return nothingToWrite;
  if (state === "verified") {
    const credential = grant ? "usable" : await credentialFor(runtime, connection, signal);
    return { credential, write: null };
  }
  if (grant !== null) {
    return { credential: null, write: await writeByGrant(runtime, connection, grant, signal) };
  }
  const credential = isOwnership ? await credentialFor(runtime, connection, signal) : "usable";
  if (credential === "none") return nothingToWrite;
  if (credential === "refused") return credentialRefused;
  // The next check sees the records; after a failure the customer can still add them by hand.
  const write = isOwnership
    ? await writeProof(runtime, connection, signal)
    : await writeRecords(runtime, connection, "records", signal);
  return { credential: null, write };
}

/**
 * The record that proves, which may be the one for visitors. Where something else has its name, the
 * TXT record proves first: what is there is replaced only when somebody says so.
 */
async function writeProof(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<WriteResult> {
  const written = await writeRecords(runtime, connection, "ownership", signal);
  const isTaken = written.outcome === "refused" && written.error === "record_conflict";
  const mayByText = isTaken && (await allowedProofs(runtime, connection)).includes("txt");
  return mayByText ? await writeRecords(runtime, connection, "text", signal) : written;
}

/**
 * Publishes the ownership record of a holder against whom a contest is open, where a stored
 * credential may be used. Its next check sees the record; without one the customer must add it.
 */
async function proveAgain(
  runtime: Runtime,
  connection: Connection,
  { proof }: ConnectionCheck,
  signal: AbortSignal,
): Promise<void> {
  if (connection.contest === null || !holdsClaim(connection.state)) return;
  if (proof?.outcome !== "absent" && proof?.outcome !== "mismatch") return;
  if ((await credentialFor(runtime, connection, signal)) !== "usable") return;
  // The holder's other records may be somebody else's by now.
  const mayByText = (await allowedProofs(runtime, connection)).includes("txt");
  await writeRecords(runtime, connection, mayByText ? "text" : "ownership", signal);
}

/**
 * While a name waits for its switch, its zone is read this seldom for a TTL that could be lowered.
 */
const lowerTtlEveryChecks = 360;

/**
 * Of a cut-over only the CNAME for validation is written without being asked, since it sends no
 * visitor anywhere, and a lower TTL of the old records.
 */
async function delegate(
  runtime: Runtime,
  connection: Connection,
  { observation }: ConnectionCheck,
  signal: AbortSignal,
): Promise<Pick<Observation, "credential" | "write">> {
  const hasLongTtl = (observation.cutover?.old?.ttl ?? 0) > loweredTtlSeconds;
  const isLong = hasLongTtl && connection.checks % lowerTtlEveryChecks === 0;
  const isNeeded =
    connection.state === "propagating" && (observation.validation === "absent" || isLong);
  if (connection.state === "verified") return { credential: "none", write: null };
  if (!isNeeded || (await credentialFor(runtime, connection, signal)) !== "usable") {
    return nothingToWrite;
  }
  await writeRecords(runtime, connection, "validation", signal);
  return nothingToWrite;
}

/** Replaces the records of a live connection by a plan, where a stored credential may be used. */
async function migrate(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<Pick<Observation, "credential" | "write">> {
  if ((await credentialFor(runtime, connection, signal)) !== "usable") return nothingToWrite;
  return { credential: null, write: await writeRecords(runtime, connection, "records", signal) };
}

const nothingToWrite = { credential: null, write: null } as const;
const credentialRefused = {
  credential: null,
  write: { outcome: "refused", error: "provider_auth" },
} as const;

/**
 * A live connection whose new records are not in DNS yet. Its plan replaces only records that the
 * service wrote, so it does not matter how the connection was set up.
 */
function isMoving(connection: Connection, { observation }: ConnectionCheck): boolean {
  return connection.state === "live" && observation.moving?.records.outcome === "wrong";
}

function needsOwnershipRecord(connection: Connection, { proof }: ConnectionCheck): boolean {
  if (connectionPhase(connection.state) !== "ownership") return false;
  return proof?.outcome === "absent" || proof?.outcome === "mismatch";
}

async function credentialFor(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<CredentialAvailability> {
  // Without the tenant's permission only a customer's sign-in can be used.
  const canHave = connection.mayUseCredentials || oauthClients(runtime.config).length > 0;
  return canHave ? await canWrite(runtime, connection, signal) : "none";
}
