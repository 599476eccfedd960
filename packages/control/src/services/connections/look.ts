import { selectConnection } from "../../db/queries/connections.ts";
import type { Connection } from "../../domain/connection.ts";
import type { Runtime } from "../runtime.ts";
import { type Look, observe, type Wish } from "./observe.ts";
import { probeFacts } from "./probe-facts.ts";
import { railFacts } from "./rail.ts";
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
export async function lookNow(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
  wish: Wish,
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
export async function lookAtLeased(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<Connection | null> {
  const look = await observe(runtime, connection, signal);
  const rail = await railFacts(runtime, connection, look, signal);
  const probe = await probeFacts(runtime, connection, look, signal);
  return applyObservation(runtime, connection, { ...look.observation, ...rail, ...probe });
}

function reread(runtime: Runtime, id: string): Promise<Connection | null> {
  return runtime.system((tx) => selectConnection(tx, id));
}
