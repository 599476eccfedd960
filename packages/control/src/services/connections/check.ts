import type { DueRows } from "@mooring/postgres";
import { selectConnection } from "../../db/queries/connections.ts";
import {
  claimDueConnections,
  extendLeases,
  releaseConnection,
} from "../../db/queries/due-connections.ts";
import { type Connection, phaseOf } from "../../domain/connection.ts";
import type { Observation } from "../../domain/observation.ts";
import { canWrite, writeRecords } from "../dns-write/writer.ts";
import { writeByGrant } from "../domain-connect/apply-grant.ts";
import { usableGrant } from "../domain-connect/grant.ts";
import type { Runtime } from "../runtime.ts";
import { type CheckScope, type Look, observe } from "./observe.ts";
import { probeFacts } from "./probe.ts";
import { applyObservation } from "./transition.ts";

export interface LookResult {
  readonly connection: Connection;
  readonly look: Look;
}

/** How often a fresh look is applied to a row that a worker keeps claiming meanwhile. */
const tries = 4;

/**
 * A look at once, for a caller who waits. When a worker has claimed or written the row meanwhile,
 * what was seen is applied to the row as it is now: it is as fresh as anything the worker has.
 */
export async function checkNow(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
  wish: CheckScope,
): Promise<LookResult> {
  const look = await observe(runtime, connection, signal, wish);
  let current = connection;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (current.state === "archived") break;
    const applied = await applyObservation(runtime, current, look.observation);
    if (applied) return { connection: applied, look };
    current = (await reread(runtime, connection.id)) ?? current;
  }
  return { connection: current, look };
}

/** A worker's look at a row that it has leased; null when the lease was lost and nothing written. */
export async function checkLeased(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<Connection | null> {
  const look = await observe(runtime, connection, signal);
  const rail = await writeAutomatically(runtime, connection, look, signal);
  const probe = await probeFacts(runtime, connection, look, signal);
  return applyObservation(runtime, connection, { ...look.observation, ...rail, ...probe });
}

function reread(runtime: Runtime, id: string): Promise<Connection | null> {
  return runtime.system((tx) => selectConnection(tx, id));
}

/** Connections due for a check, as rows that a worker leases. */
export function dueConnections(runtime: Runtime): DueRows<Connection> {
  const { database } = runtime;
  return {
    table: "connections",
    idOf: (connection) => connection.id,
    versionOf: (connection) => connection.version,
    claim: (now, until, limit) => claimDueConnections(database, now, until, limit),
    extend: (leased, until) => extendLeases(database, leased, until),
    release: (connection, dueAt) => releaseConnection(database, connection, dueAt),
  };
}

/**
 * The automatic rail. With the customer's consent at their provider, or a stored credential that may
 * be used, a worker's look also does what a person would do by hand: publish the ownership record, then the desired ones. What came of it is
 * a fact for the lifecycle like any other.
 */
export async function writeAutomatically(
  runtime: Runtime,
  connection: Connection,
  look: Look,
  signal: AbortSignal,
): Promise<Pick<Observation, "credential" | "write">> {
  const { state } = connection;
  const isOwnership = needsOwnershipRecord(connection, look);
  const isAwaited = state === "propagating" || state === "stalled" || state === "drifted";
  const isOurs = isOwnership || state === "verified" || state === "dns_writing";
  if (!isOurs && !isAwaited) return nothingToDo;
  // A customer's own consent for this very name comes before what the tenant has stored.
  const grant = await usableGrant(runtime, connection);
  if (isAwaited && (grant === null || grant.appliedAt !== null)) return nothingToDo;
  if (state === "verified") {
    const isUsable = grant !== null || (await mayWrite(runtime, connection, signal));
    return { credential: isUsable ? "usable" : "none", write: null };
  }
  if (grant !== null) {
    return { credential: null, write: await writeByGrant(runtime, connection, grant, signal) };
  }
  if (isOwnership && !(await mayWrite(runtime, connection, signal))) return nothingToDo;
  // Its success shows in DNS at the next look; its failure leaves the customer's way by hand.
  const what = isOwnership ? "ownership" : "records";
  return { credential: null, write: await writeRecords(runtime, connection, what, signal) };
}

const nothingToDo = { credential: null, write: null } as const;

function needsOwnershipRecord(connection: Connection, look: Look): boolean {
  const outcome = look.proof?.outcome;
  return (
    phaseOf(connection.state) === "ownership" && (outcome === "absent" || outcome === "mismatch")
  );
}

async function mayWrite(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<boolean> {
  return connection.mayUseCredentials && (await canWrite(runtime, connection, signal));
}
