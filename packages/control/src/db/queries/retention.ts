import { sql } from "kysely";
import type { Tx } from "../engine/transaction.ts";

/** Tables that only grow, with the time of a row. */
const timeColumns = { timeline: "created_at", audit_log: "at", usage_causes: "at" } as const;

export type Log = keyof typeof timeColumns;

/** Removes rows of a log from before the time, at most `limit`; returns how many. */
export async function sweepLog(tx: Tx, log: Log, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from ${sql.table(log)} where ctid = any (array(
    select ctid from ${sql.table(log)} where ${sql.ref(timeColumns[log])} < ${before} limit ${limit}))`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}
