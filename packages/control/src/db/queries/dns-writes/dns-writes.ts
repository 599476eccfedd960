import type { Change } from "@mooring/dns";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { LastWrite } from "../../../domain/diagnosis/facts.ts";
import type { PastWrite, WritePurpose } from "../../../domain/records/dns-write.ts";
import { jsonColumn } from "../../engine/json-column.ts";
import type { Tx } from "../../engine/transaction.ts";

export interface DnsWrite {
  readonly id: string;
  readonly credentialId: string | null;
  readonly provider: string;
  readonly zone: string;
  readonly changes: readonly Change[];
  readonly purpose: WritePurpose;
  readonly createdAt: Date;
}

/**
 * Committed before the provider is called: after a crash the zone may hold what it names. The
 * writer has the zone to itself, so that whatever is still `planned` for it was cut off.
 */
export async function insertDnsWrite(
  tx: Tx,
  connection: Connection,
  write: DnsWrite,
): Promise<void> {
  await tx
    .updateTable("dns_writes")
    .set({ outcome: "failed", error: "cut off", finished_at: write.createdAt })
    .where("connection_id", "=", connection.id)
    .where("provider", "=", write.provider)
    .where("zone", "=", write.zone)
    .where("outcome", "=", "planned")
    .execute();
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
      changes: jsonColumn(write.changes),
      outcome: "planned",
      error: null,
      unchanged: false,
      purpose: write.purpose,
      created_at: write.createdAt,
      finished_at: null,
    })
    .execute();
}

/** The zone is as planned without another write: one that was cut off before had done its work. */
export async function settleDnsWrites(
  tx: Tx,
  connectionId: string,
  target: { readonly provider: string; readonly zone: string },
  now: Date,
): Promise<void> {
  await tx
    .updateTable("dns_writes")
    .set({ outcome: "applied", finished_at: now })
    .where("connection_id", "=", connectionId)
    .where("provider", "=", target.provider)
    .where("zone", "=", target.zone)
    .where("outcome", "=", "planned")
    .execute();
}

export interface WriteEnd {
  readonly outcome: "applied" | "failed";
  readonly error: string | null;
  readonly unchanged: boolean;
}

export async function finishDnsWrite(tx: Tx, id: string, end: WriteEnd, now: Date): Promise<void> {
  await tx
    .updateTable("dns_writes")
    .set({ ...end, finished_at: now })
    .where("id", "=", id)
    .execute();
}

/** Everything that was done, or may have been, to zones for a connection itself; oldest first. */
export async function selectDnsWrites(tx: Tx, connectionId: string): Promise<PastWrite[]> {
  const rows = await tx
    .selectFrom("dns_writes")
    .select(["credential_id", "provider", "zone", "changes", "outcome", "created_at"])
    .where("connection_id", "=", connectionId)
    .where("purpose", "=", "connection")
    .where("unchanged", "=", false)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    credentialId: row.credential_id,
    provider: row.provider,
    zone: row.zone,
    changes: row.changes,
    isCertain: row.outcome === "applied",
    at: row.created_at,
  }));
}

/** The latest attempt to write the connection's own records, whatever came of it. */
export async function selectLastDnsWrite(tx: Tx, connectionId: string): Promise<LastWrite | null> {
  const row = await tx
    .selectFrom("dns_writes")
    .select(["provider", "outcome", "created_at"])
    .where("connection_id", "=", connectionId)
    .where("purpose", "=", "connection")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? { provider: row.provider, outcome: row.outcome, at: row.created_at } : null;
}

/** Results of the recent writes to one provider. */
export interface WriteHealth {
  readonly provider: string;
  readonly writes: number;
  readonly failures: number;
  readonly lastErrorAt: Date | null;
}

const recentMs = 86_400_000;

/** Of the last 24 hours and as far as the transaction sees: a tenant's own, or everybody's. */
export async function countRecentWrites(tx: Tx, now: Date): Promise<WriteHealth[]> {
  const rows = await tx
    .selectFrom("dns_writes")
    .select((eb) => [
      "provider",
      eb.fn.countAll<number>().as("writes"),
      eb.fn.countAll<number>().filterWhere("outcome", "=", "failed").as("failures"),
      eb.fn.max("finished_at").filterWhere("outcome", "=", "failed").as("last_error_at"),
    ])
    .where("created_at", ">", new Date(now.getTime() - recentMs))
    .where("outcome", "<>", "planned")
    .groupBy("provider")
    .orderBy("provider")
    .execute();
  return rows.map((row) => ({
    provider: row.provider,
    writes: row.writes,
    failures: row.failures,
    lastErrorAt: row.last_error_at,
  }));
}

/** What these writes changed, or were to change, by the id of the write. */
export async function selectWrittenChanges(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Change[]>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom("dns_writes")
    .select(["id", "changes"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, changes }) => [id, changes]));
}
