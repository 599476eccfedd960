import { sql } from "kysely";
import type { Tx } from "../../engine/transaction.ts";

export interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: Date;
}

export async function insertTenant(tx: Tx, tenant: Tenant): Promise<void> {
  await tx
    .insertInto("tenants")
    .values({ id: tenant.id, name: tenant.name, plan: tenant.plan, created_at: tenant.createdAt })
    .execute();
}

export async function selectTenant(tx: Tx, id: string): Promise<Tenant | null> {
  const row = await tx
    .selectFrom("tenants")
    .select(["id", "name", "plan", "created_at"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? toTenant(row) : null;
}

/** By id or by exact name; several when names repeat. */
export async function findTenants(tx: Tx, idOrName: string): Promise<Tenant[]> {
  const rows = await tx
    .selectFrom("tenants")
    .select(["id", "name", "plan", "created_at"])
    .where((eb) => eb.or([eb("name", "=", idOrName), eb(sql`id::text`, "=", idOrName)]))
    .execute();
  return rows.map(toTenant);
}

export async function selectTenants(tx: Tx): Promise<Tenant[]> {
  const rows = await tx
    .selectFrom("tenants")
    .select(["id", "name", "plan", "created_at"])
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toTenant);
}

export async function updateTenantPlan(tx: Tx, id: string, plan: string): Promise<void> {
  await tx.updateTable("tenants").set({ plan }).where("id", "=", id).execute();
}

/** Held until the transaction ends, so that of several first starts one makes the first tenant. */
export async function lockBootstrap(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7366521904114)`.execute(tx);
}

function toTenant(row: { id: string; name: string; plan: string; created_at: Date }): Tenant {
  return { id: row.id, name: row.name, plan: row.plan, createdAt: row.created_at };
}
