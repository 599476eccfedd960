import { sql } from "kysely";
import { newId } from "../../../domain/id.ts";
import type {
  SandboxRecord,
  SandboxZone,
  SandboxZoneSummary,
} from "../../../domain/sandbox/sandbox.ts";
import type { TenantScope } from "../../../domain/tenancy.ts";
import { createLoader, type Loader } from "../../engine/loader.ts";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";
import { announceDue } from "../connections/due-connections.ts";
import { fetchPage, type Page, type PageRequest } from "../page.ts";

interface ZoneRow {
  readonly zone: string;
  readonly tenant_id: string;
  readonly nameservers: string[];
  readonly records: SandboxRecord[];
  readonly updated_at: Date;
}

/** Zones as resolvers see them, of whichever tenant; absent when there is none. */
export function sandboxZoneLookup(database: Database): Loader<string, SandboxZone> {
  return createLoader({
    identify: (zone) => zone,
    fetch: async (zones) => {
      const rows = await database.prepared<ZoneRow>(
        {
          name: "sandbox_zones",
          text: `select n.zone, z.tenant_id, z.nameservers, z.records, z.updated_at
            from unnest($1::text[]) as n (zone) cross join lateral sandbox_zone(n.zone) z`,
        },
        [zones],
      );
      return rows.map((row) => [row.zone, toZone(row)]);
    },
  });
}

/** When the connection that holds the hostname first was live. */
export async function sandboxLiveSince(database: Database, hostname: string): Promise<Date | null> {
  const rows = await database.prepared<{ since: Date | null }>(
    { name: "sandbox_live_since", text: "select sandbox_live_since($1) as since" },
    [hostname],
  );
  return rows[0]?.since ?? null;
}

/** The same within a transaction. */
export async function selectLiveSince(tx: Tx, hostname: string): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select sandbox_live_since(${hostname}) as since`.execute(tx);
  return rows[0]?.since ?? null;
}

/** One zone, of whichever tenant; the verb decides what its caller may see. */
export async function selectSandboxZone(tx: Tx, zone: string): Promise<SandboxZone | null> {
  const { rows } = await sql<ZoneRow>`
    select ${zone}::text as zone, tenant_id, nameservers, records, updated_at
    from sandbox_zone(${zone})`.execute(tx);
  const [row] = rows;
  return row ? toZone(row) : null;
}

/** The tenant's own zone, locked until the transaction ends. */
export async function lockSandboxZone(
  tx: Tx,
  scope: TenantScope,
  zone: string,
): Promise<SandboxZone | null> {
  const row = await tx
    .selectFrom("sandbox_zones")
    .select(["zone", "tenant_id", "nameservers", "records", "updated_at"])
    .where("zone", "=", zone)
    .where("tenant_id", "=", scope.tenantId)
    .forUpdate()
    .executeTakeFirst();
  return row ? toZone(row) : null;
}

/** Serialises the making of zones by one tenant, so that counting them before means something. */
export async function lockZoneMaking(tx: Tx, scope: TenantScope): Promise<void> {
  const key = `sandbox:${scope.tenantId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
}

export async function countSandboxZones(tx: Tx, scope: TenantScope): Promise<number> {
  const { count } = await tx
    .selectFrom("sandbox_zones")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("tenant_id", "=", scope.tenantId)
    .executeTakeFirstOrThrow();
  return count;
}

/** False when the zone exists already, also when it is another tenant's. */
export async function insertSandboxZone(
  tx: Tx,
  zone: SandboxZone,
  createdAt: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("sandbox_zones")
    .values({
      id: newId(createdAt),
      zone: zone.zone,
      tenant_id: zone.tenantId,
      nameservers: [...zone.nameservers],
      records: JSON.stringify(zone.records),
      created_at: createdAt,
      updated_at: zone.updatedAt,
    })
    .onConflict((conflict) => conflict.column("zone").doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** The caller holds the zone's lock. */
export async function updateSandboxZone(tx: Tx, zone: SandboxZone): Promise<void> {
  await tx
    .updateTable("sandbox_zones")
    .set({
      nameservers: [...zone.nameservers],
      records: JSON.stringify(zone.records),
      updated_at: zone.updatedAt,
    })
    .where("zone", "=", zone.zone)
    .where("tenant_id", "=", zone.tenantId)
    .execute();
}

export async function deleteSandboxZone(
  tx: Tx,
  scope: TenantScope,
  zone: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("sandbox_zones")
    .where("zone", "=", zone)
    .where("tenant_id", "=", scope.tenantId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function pageSandboxZones(
  tx: Tx,
  scope: TenantScope,
  page: PageRequest,
): Promise<Page<SandboxZoneSummary>> {
  const query = tx
    .selectFrom("sandbox_zones")
    .select(["id", "zone", "nameservers", "created_at", "updated_at"])
    .select(sql<number>`jsonb_array_length(records)`.as("record_count"))
    .where("tenant_id", "=", scope.tenantId);
  return fetchPage(query, page, (row) => ({
    zone: row.zone,
    nameservers: row.nameservers,
    recordCount: row.record_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}

/**
 * Makes the connections under the zone due at once, or as soon as a running check has ended. In a
 * tenant's transaction only its own: others see the change at their next check.
 */
export async function recheckZone(tx: Tx, zone: string, now: Date): Promise<void> {
  await sql`with noted as (
      update only connections set watched_at = ${now}
      where registrable_domain = ${zone} and environment = 'test' and due_at is not null
      returning id, tenant_id)
    update connection_checks k set
      due_at = case when k.leased_until is null or k.leased_until <= ${now} then ${now} else k.due_at end,
      recheck_requested = k.recheck_requested or (k.leased_until is not null and k.leased_until > ${now})
    from noted where k.connection_id = noted.id and k.tenant_id = noted.tenant_id and k.due_at is not null`.execute(
    tx,
  );
  announceDue(tx, "connections");
}

function toZone(row: ZoneRow): SandboxZone {
  return {
    zone: row.zone,
    tenantId: row.tenant_id,
    nameservers: row.nameservers,
    records: row.records,
    updatedAt: row.updated_at,
  };
}
