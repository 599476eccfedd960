import { type Selectable, sql } from "kysely";
import type { TenantState } from "../../../domain/tenancy.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { Tables } from "../../tables.ts";

export interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: Date;
  readonly state: TenantState;
  /** Null for an active tenant, and where the operator has named none. */
  readonly suspendedReason: string | null;
  /** When the operator has deleted it; null for one that is not being deleted. */
  readonly deletedAt: Date | null;
}

const columns = [
  "id",
  "name",
  "plan",
  "created_at",
  "suspended_at",
  "suspended_reason",
  "deleted_at",
] as const;

export type NewTenantRow = Pick<Tenant, "id" | "name" | "plan" | "createdAt">;

export async function insertTenant(tx: Tx, tenant: NewTenantRow): Promise<void> {
  await tx
    .insertInto("tenants")
    .values({ id: tenant.id, name: tenant.name, plan: tenant.plan, created_at: tenant.createdAt })
    .execute();
}

export async function selectTenant(tx: Tx, id: string): Promise<Tenant | null> {
  const row = await tx
    .selectFrom("tenants")
    .select(columns)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? toTenant(row) : null;
}

/** By id or by exact name; several when names repeat. */
export async function findTenants(tx: Tx, idOrName: string): Promise<Tenant[]> {
  const rows = await tx
    .selectFrom("tenants")
    .select(columns)
    .where((eb) => eb.or([eb("name", "=", idOrName), eb(sql`id::text`, "=", idOrName)]))
    .execute();
  return rows.map(toTenant);
}

export async function selectTenants(tx: Tx): Promise<Tenant[]> {
  const rows = await tx
    .selectFrom("tenants")
    .select(columns)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toTenant);
}

export async function updateTenantPlan(tx: Tx, id: string, plan: string): Promise<void> {
  await tx.updateTable("tenants").set({ plan }).where("id", "=", id).execute();
}

export interface TenantMarks {
  readonly suspendedAt: Date | null;
  readonly suspendedReason: string | null;
  readonly deletedAt: Date | null;
}

/** The trigger of the table tells the edges. */
export async function updateTenantMarks(
  tx: Tx,
  id: string,
  { suspendedAt, suspendedReason, deletedAt }: TenantMarks,
): Promise<Tenant> {
  const row = await tx
    .updateTable("tenants")
    .set({
      suspended_at: suspendedAt,
      suspended_reason: suspendedReason,
      deleted_at: deletedAt,
      removal_leased_until: null,
    })
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toTenant(row);
}

/** How many tenants there are in each state. */
export async function countTenants(tx: Tx): Promise<Readonly<Record<TenantState, number>>> {
  const { rows } = await sql<Record<TenantState, number>>`select
      count(*) filter (where suspended_at is null and deleted_at is null)::int as active,
      count(*) filter (where suspended_at is not null and deleted_at is null)::int as suspended,
      count(*) filter (where deleted_at is not null)::int as deleting from tenants`.execute(tx);
  return rows[0] ?? { active: 0, suspended: 0, deleting: 0 };
}

/** Held until the transaction ends, so that of several first starts one makes the first tenant. */
export async function lockBootstrap(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7366521904114)`.execute(tx);
}

type TenantRow = Pick<Selectable<Tables["tenants"]>, (typeof columns)[number]>;

function toTenant(row: TenantRow): Tenant {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    createdAt: row.created_at,
    state: stateFrom(row),
    suspendedReason: row.suspended_reason,
    deletedAt: row.deleted_at,
  };
}

/** A tenant that was suspended before it was deleted is being deleted. */
export function stateFrom(row: Pick<TenantRow, "suspended_at" | "deleted_at">): TenantState {
  if (row.deleted_at !== null) return "deleting";
  return row.suspended_at === null ? "active" : "suspended";
}
