import type { Tx } from "../../db/engine/transaction.ts";
import { noteWatched, selectWatchedAt } from "../../db/queries/sandbox/sandbox-watch.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { isSandboxName } from "../../domain/sandbox/sandbox.ts";
import type { ServiceContext } from "../context.ts";

/**
 * For so long after it, or its zone, was last written or read a live sandbox name is checked often.
 */
const watchedForMs = 600_000;
/** One read in this time is stored: a client that polls costs no write each time. */
const coalesceMs = 60_000;

type Watchable = Pick<Connection, "id" | "environment" | "hostname" | "state">;

export function isInSandbox({
  environment,
  hostname,
}: Pick<Connection, "environment" | "hostname">): boolean {
  return environment === "test" && isSandboxName(hostname);
}

/** Whether somebody watches the sandbox name; for names of real DNS the question does not arise. */
export async function isWatched(tx: Tx, connection: Watchable, now: Date): Promise<boolean> {
  if (!isInSandbox(connection) || !isChecked(connection)) return true;
  const at = await selectWatchedAt(tx, connection.id);
  return at !== null && now.getTime() - at.getTime() < watchedForMs;
}

/** The caller reads a connection: while it is in the sandbox, its checks are frequent again. */
export async function watchConnection(ctx: ServiceContext, connection: Watchable): Promise<void> {
  if (!isInSandbox(connection) || !isChecked(connection)) return;
  await watch(ctx, connection.id, { id: connection.id });
}

/** The same for all connections under a zone. */
export async function watchZone(ctx: ServiceContext, zone: string): Promise<void> {
  await watch(ctx, zone, { zone });
}

async function watch(
  { runtime, actor, now }: ServiceContext,
  key: string,
  watched: Parameters<typeof noteWatched>[1],
): Promise<void> {
  const { watches } = runtime.domainFacts;
  if (watches.get(key) !== undefined) return;
  watches.set(key, true, coalesceMs);
  try {
    await runtime.tenant(actor, (tx) => noteWatched(tx, watched, now()));
  } catch (error) {
    // What was read is answered all the same; the name is checked at its slow pace.
    runtime.log.warn({ err: error, watched: key }, "read of a sandbox name not noted");
  }
}

/** In other states the pace does not depend on it. */
function isChecked({ state }: Watchable): boolean {
  return state === "live" || state === "drifted";
}
