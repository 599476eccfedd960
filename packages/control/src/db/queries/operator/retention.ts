import { sql } from "kysely";
import type { Tx } from "../../engine/transaction.ts";

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

/**
 * Where a sweep that passes over some rows continues; the time is text, since it is finer than a
 * `Date`.
 */
export interface SweepPosition {
  readonly at: string;
  readonly id: string;
}

/**
 * Goes over writes to zones from before the time, oldest first and at most `limit`, and removes
 * those that no revert needs: what changed nothing, and what was for a connection that is archived.
 * Null when all were seen.
 */
export async function sweepDnsWrites(
  tx: Tx,
  before: Date,
  after: SweepPosition | null,
  limit: number,
): Promise<SweepPosition | null> {
  const rest =
    after === null
      ? sql`true`
      : sql`created_at >= ${after.at}::timestamptz and (created_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<SweepPosition & { readonly seen: number }>`with piece as materialized (
      select id, created_at, connection_id, unchanged from dns_writes
      where created_at < ${before} and outcome <> 'planned' and ${rest} order by created_at, id limit ${limit}),
    gone as (
      delete from dns_writes w using piece p where w.id = p.id and (p.unchanged or not exists (
        select from only connections c where c.id = p.connection_id and c.state <> 'archived')))
    select created_at::text as at, id, (select count(*)::int from piece) as seen
    from piece order by created_at desc, id desc limit 1`.execute(tx);
  const [last] = rows;
  return last && last.seen === limit ? { at: last.at, id: last.id } : null;
}

/**
 * Removes how large zones were that nobody has read since the time, at most `limit`; returns how
 * many.
 */
export async function sweepZoneReads(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from zone_reads where (reader, zone) in (
    select reader, zone from zone_reads where read_at < ${before} order by read_at limit ${limit})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}
