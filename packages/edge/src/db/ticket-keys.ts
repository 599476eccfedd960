import { inTransaction } from "@mooring/postgres";
import type { SealContext } from "@mooring/vault";
import type pg from "pg";
import type { Queries } from "./queries.ts";

/** Notified after a secret was added. */
export const ticketKeysChannel = "mooring_ticket_keys";

/** The vault context of a ticket secret. */
export function ticketKeyContext(id: string): SealContext {
  return { tenant: null, table: "ticket_keys", row: id, column: "sealed" };
}

/** A secret from which the keys of session tickets are derived, sealed. */
export interface StoredTicketKey {
  readonly id: string;
  readonly sealed: string;
  /** When it begins to seal tickets. */
  readonly startsAt: Date;
}

/** Newest first. */
export async function loadTicketKeys(queries: Queries): Promise<StoredTicketKey[]> {
  const { rows } = await queries.query<{ id: string; sealed: string; starts_at: Date }>(
    "select id, sealed, starts_at from ticket_keys order by starts_at desc, id desc",
  );
  return rows.map((row) => ({ id: row.id, sealed: row.sealed, startsAt: row.starts_at }));
}

/**
 * Adds the secret that `next` makes, unless it makes none, under a lock, so that of several edges
 * one does; deletes those that began before `deleteBefore`; notifies the other edges; returns all
 * secrets.
 */
export async function rotateTicketKeys(
  pool: pg.Pool,
  next: (keys: readonly StoredTicketKey[]) => StoredTicketKey | null,
  { now, deleteBefore }: { readonly now: Date; readonly deleteBefore: Date },
): Promise<StoredTicketKey[]> {
  return await inTransaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtext('mooring_ticket_keys'))");
    const made = next(await loadTicketKeys(client));
    if (made !== null) {
      await client.query(
        "insert into ticket_keys (id, sealed, starts_at, created_at) values ($1, $2, $3, $4)",
        [made.id, made.sealed, made.startsAt, now],
      );
      await client.query("select pg_notify($1, '')", [ticketKeysChannel]);
    }
    await client.query("delete from ticket_keys where starts_at < $1", [deleteBefore]);
    return await loadTicketKeys(client);
  });
}
