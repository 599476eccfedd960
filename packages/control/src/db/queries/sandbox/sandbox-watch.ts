import { sql } from "kysely";
import type { Tx } from "../../engine/transaction.ts";
import { unmovedConnections } from "../connections/connection-table.ts";

/** A sandbox name that somebody watches is checked this often. */
const watchedMs = 5_000;
/** A read that comes sooner after another is not written. */
const coalesceMs = 60_000;
/**
 * Of a large zone the first names follow a read of it; the others come back to their pace by
 * themselves.
 */
const maxNames = 200;

/** When somebody last wrote or read the connection or its zone. */
export async function selectWatchedAt(tx: Tx, id: string): Promise<Date | null> {
  const row = await tx
    .selectFrom(unmovedConnections)
    .select("watched_at")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.watched_at ?? null;
}

/** Notes a read, and brings the next check forward to that of a watched name. */
export async function noteWatched(
  tx: Tx,
  watched: { readonly id: string } | { readonly zone: string },
  now: Date,
): Promise<void> {
  const which =
    "id" in watched ? sql`id = ${watched.id}` : sql`registrable_domain = ${watched.zone}`;
  const soon = new Date(now.getTime() + watchedMs);
  const before = new Date(now.getTime() - coalesceMs);
  await sql`with chosen as (
      select id, tenant_id from only connections where ${which} and environment = 'test' and due_at is not null
        and state in ('live', 'drifted') and (watched_at is null or watched_at < ${before})
      order by created_at desc limit ${maxNames} for update skip locked),
    noted as (
      update only connections c set watched_at = ${now} from chosen where c.id = chosen.id)
    update connection_checks k set due_at = least(k.due_at, ${soon}::timestamptz)
    from chosen where k.connection_id = chosen.id and k.tenant_id = chosen.tenant_id
      and k.due_at is not null and (k.leased_until is null or k.leased_until <= ${now})`.execute(
    tx,
  );
}
