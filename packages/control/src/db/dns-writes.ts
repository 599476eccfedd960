import type { Change, DnsRecord } from "@mooring/dns";
import { sql } from "kysely";
import type { Connection } from "../domain/connection.ts";
import type { LastWrite } from "../domain/diagnosis/facts.ts";
import type { Tx } from "./transaction.ts";

export interface DnsWrite {
  readonly id: string;
  readonly credentialId: string | null;
  readonly provider: string;
  readonly zone: string;
  readonly changes: readonly Change[];
  readonly createdAt: Date;
}

/** Committed before the provider is called: after a crash the zone may hold what it names. */
export async function insertDnsWrite(
  tx: Tx,
  connection: Connection,
  write: DnsWrite,
): Promise<void> {
  await tx
    .insertInto("dns_writes")
    .values({
      id: write.id,
      tenant_id: connection.tenantId,
      environment: connection.environment,
      connection_id: connection.id,
      credential_id: write.credentialId,
      provider: write.provider,
      zone: write.zone,
      changes: JSON.stringify(write.changes),
      outcome: "planned",
      error: null,
      created_at: write.createdAt,
      finished_at: null,
    })
    .execute();
}

export async function finishDnsWrite(
  tx: Tx,
  id: string,
  outcome: "applied" | "failed",
  error: string | null,
  now: Date,
): Promise<void> {
  await tx
    .updateTable("dns_writes")
    .set({ outcome, error, finished_at: now })
    .where("id", "=", id)
    .execute();
}

/** Every record that was put into the zone for this connection, or may have been. */
export async function selectWrittenRecords(
  tx: Tx,
  connectionId: string,
  zone: string,
): Promise<DnsRecord[]> {
  const rows = await tx
    .selectFrom("dns_writes")
    .select("changes")
    .where("connection_id", "=", connectionId)
    .where("zone", "=", zone)
    .execute();
  return rows
    .flatMap((row) => row.changes)
    .filter(({ action }) => action === "create" || action === "update")
    .map(({ record }) => record);
}

/** The latest attempt, whatever came of it. */
export async function selectLastDnsWrite(tx: Tx, connectionId: string): Promise<LastWrite | null> {
  const row = await tx
    .selectFrom("dns_writes")
    .select(["provider", "outcome", "created_at"])
    .where("connection_id", "=", connectionId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? { provider: row.provider, outcome: row.outcome, at: row.created_at } : null;
}

/** True when the zone is ours until the given time; false while another writer has it. */
export async function leaseZone(
  tx: Tx,
  lease: { readonly provider: string; readonly zone: string; readonly owner: string },
  now: Date,
  leasedUntil: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into zone_leases as l (provider, zone, owner, leased_until)
    values (${lease.provider}, ${lease.zone}, ${lease.owner}, ${leasedUntil})
    on conflict (provider, zone) do update set owner = excluded.owner, leased_until = excluded.leased_until
      where l.leased_until <= ${now} or l.owner = excluded.owner
    returning 1`.execute(tx);
  return rows.length === 1;
}

export async function releaseZone(tx: Tx, owner: string): Promise<void> {
  await tx.deleteFrom("zone_leases").where("owner", "=", owner).execute();
}
