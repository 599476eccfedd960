import { sql } from "kysely";
import type { Tx } from "./transaction.ts";

/** Edges read the last thousand again; far more than that is kept for one that was away. */
const kept = 100_000;

/** Forgets old entries of the change log; answers how many went. */
export async function sweepHostChanges(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from host_changes where id < (select max(id) from host_changes) - ${kept}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
