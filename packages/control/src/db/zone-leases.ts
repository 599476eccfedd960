import { sql } from "kysely";
import type { Tx } from "./transaction.ts";

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

/** False when another writer has taken the zone since: a lease that was lost is never taken back. */
export async function prolongZone(
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

export async function releaseZone(tx: Tx, { provider, zone, owner }: ZoneLease): Promise<void> {
  await tx
    .deleteFrom("zone_leases")
    .where("provider", "=", provider)
    .where("zone", "=", zone)
    .where("owner", "=", owner)
    .execute();
}
