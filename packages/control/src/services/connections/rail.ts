import { type Connection, phaseOf } from "../../domain/connection.ts";
import type { Observation } from "../../domain/observation.ts";
import { canWrite, writeRecords } from "../dns-write/writer.ts";
import type { Runtime } from "../runtime.ts";
import type { Look } from "./observe.ts";

/**
 * The automatic rail. With a stored credential that may be used, a worker's look also does what a
 * person would do by hand: publish the ownership record, then the desired ones. What came of it is
 * a fact for the lifecycle like any other.
 */
export async function railFacts(
  runtime: Runtime,
  connection: Connection,
  look: Look,
  signal: AbortSignal,
): Promise<Pick<Observation, "credential" | "write">> {
  if (connection.state === "verified") {
    const isUsable = await mayWrite(runtime, connection, signal);
    return { credential: isUsable ? "usable" : "none", write: null };
  }
  if (connection.state === "dns_writing") {
    return { credential: null, write: await writeRecords(runtime, connection, "records", signal) };
  }
  if (needsOwnershipRecord(connection, look) && (await mayWrite(runtime, connection, signal))) {
    // Its success shows in DNS at the next look; its failure leaves the customer's way by hand.
    return {
      credential: null,
      write: await writeRecords(runtime, connection, "ownership", signal),
    };
  }
  return { credential: null, write: null };
}

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
