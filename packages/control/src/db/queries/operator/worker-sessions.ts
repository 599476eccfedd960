import { sql } from "kysely";
import type { Tx } from "../../engine/transaction.ts";

/**
 * The name under which each worker process holds one session at the server itself, for
 * notifications.
 */
export const workerSession = "mooring_worker_listen";

/** How many worker processes are connected; one that has died is not counted any more. */
export async function countWorkers(tx: Tx): Promise<number> {
  const { rows } = await sql<{ workers: number }>`
    select count(*)::int as workers from pg_stat_activity
    where datname = current_database() and application_name = ${workerSession}`.execute(tx);
  return rows[0]?.workers ?? 0;
}
