import { sql } from "kysely";
import type { Tx } from "../../engine/transaction.ts";
import { unmovedConnections } from "./connection-table.ts";

/** A check saw a wrong answer, which caches may give until then. */
export async function storeCachedUntil(tx: Tx, connectionId: string, until: Date): Promise<void> {
  await tx
    .updateTable(unmovedConnections)
    .set({ cached_until: until })
    .where("id", "=", connectionId)
    .execute();
}

/**
 * The records are right for the first time since: a cache may have asked at any time until now, so
 * that the time that was left at the last check counts from now on. The edge reads it beside the
 * certificate.
 */
export async function countCachedFrom(
  tx: Tx,
  connectionId: string,
  lastCheckedAt: Date,
  now: Date,
): Promise<void> {
  await sql`with counted as (
      update only connections set cached_until = ${now}::timestamptz + (cached_until - ${lastCheckedAt}::timestamptz)
      where id = ${connectionId} and cached_until > ${lastCheckedAt}
      returning id, cached_until)
    update certificates c set cached_until = counted.cached_until
    from counted where c.connection_id = counted.id`.execute(tx);
}

/**
 * Until when caches may still give the answer from before the records were right; null when not
 * known.
 */
export async function selectCachedUntil(tx: Tx, connectionId: string): Promise<Date | null> {
  const row = await tx
    .selectFrom(unmovedConnections)
    .select("cached_until")
    .where("id", "=", connectionId)
    .executeTakeFirst();
  return row?.cached_until ?? null;
}
