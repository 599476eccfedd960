import { sql } from "kysely";
import type { Tx } from "../../engine/transaction.ts";

/** What is known of a zone's size from earlier readings with the same credential. */
export interface ZoneRead {
  readonly records: number;
  /** A later reading had only this many, and since when. */
  readonly short: { readonly records: number; readonly since: Date } | null;
}

/** `reader` is a stored credential's id, or a connection's for a credential that was given once. */
export async function selectZoneRead(
  tx: Tx,
  reader: string,
  zone: string,
): Promise<ZoneRead | null> {
  const row = await tx
    .selectFrom("zone_reads")
    .select(["records", "short_records", "short_since"])
    .where("reader", "=", reader)
    .where("zone", "=", zone)
    .executeTakeFirst();
  if (!row) return null;
  const { records, short_records, short_since } = row;
  const isShort = short_records !== null && short_since !== null;
  return { records, short: isShort ? { records: short_records, since: short_since } : null };
}

export async function saveZoneRead(
  tx: Tx,
  reader: string,
  zone: string,
  read: ZoneRead,
  now: Date,
): Promise<void> {
  const values = {
    records: read.records,
    short_records: read.short?.records ?? null,
    short_since: read.short?.since ?? null,
    read_at: now,
  };
  await tx
    .insertInto("zone_reads")
    .values({ reader, zone, ...values })
    .onConflict((conflict) => conflict.columns(["reader", "zone"]).doUpdateSet(values))
    .execute();
}

export interface ZoneLease {
  readonly provider: string;
  readonly zone: string;
  readonly owner: string;
}

/** True when the zone is ours until the given time; false while another writer has it. */
export async function leaseZone(
  tx: Tx,
  { provider, zone, owner }: ZoneLease,
  now: Date,
  leasedUntil: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into zone_leases as l (provider, zone, owner, leased_until)
    values (${provider}, ${zone}, ${owner}, ${leasedUntil})
    on conflict (provider, zone) do update set owner = excluded.owner, leased_until = excluded.leased_until
      where l.leased_until <= ${now}
    returning 1`.execute(tx);
  return rows.length === 1;
}

/**
 * False when another writer has taken the zone since: a lease that was lost is never taken back.
 */
export async function extendZone(
  tx: Tx,
  { provider, zone, owner }: ZoneLease,
  leasedUntil: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("zone_leases")
    .set({ leased_until: leasedUntil })
    .where("provider", "=", provider)
    .where("zone", "=", zone)
    .where("owner", "=", owner)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function selectLeaseEnd(
  tx: Tx,
  { provider, zone }: Pick<ZoneLease, "provider" | "zone">,
): Promise<Date | null> {
  const row = await tx
    .selectFrom("zone_leases")
    .select("leased_until")
    .where("provider", "=", provider)
    .where("zone", "=", zone)
    .executeTakeFirst();
  return row?.leased_until ?? null;
}

export async function releaseZone(tx: Tx, { provider, zone, owner }: ZoneLease): Promise<void> {
  await tx
    .deleteFrom("zone_leases")
    .where("provider", "=", provider)
    .where("zone", "=", zone)
    .where("owner", "=", owner)
    .execute();
}
