import { type Connection, phaseOf } from "../../domain/connection.ts";
import type { Observation } from "../../domain/observation.ts";
import { canWrite, writeRecords } from "../dns-write/writer.ts";
import { usableGrant } from "../domain-connect/grant.ts";
import { writeByGrant } from "../domain-connect/write-by-grant.ts";
import type { Runtime } from "../runtime.ts";
import type { Look } from "./observe.ts";

/**
 * The automatic rail. With the customer's consent at their provider, or a stored credential that may
 * be used, a worker's look also does what a person would do by hand: publish the ownership record, then the desired ones. What came of it is
 * a fact for the lifecycle like any other.
 */
export async function railFacts(
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
