import type { Tx } from "./transaction.ts";

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
