import { sql } from "kysely";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { TenantScope } from "../../../domain/tenancy.ts";
import type { Tx } from "../../engine/transaction.ts";

/**
 * How many names the tenant holds. Until the transaction ends nobody else takes or frees one of
 * them.
 */
export async function lockHeld(tx: Tx, scope: TenantScope): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    insert into held_hostnames as h (tenant_id, environment, held)
    values (${scope.tenantId}, ${scope.environment}, 0)
    on conflict (tenant_id, environment) do update set held = h.held
    returning held`.execute(tx);
  return rows[0]?.held ?? 0;
}

/** Whether another connection of the same tenant and environment holds the hostname. */
export async function holdsHostname(
  tx: Tx,
  { hostname, tenantId, environment }: Connection,
): Promise<boolean> {
  const row = await tx
    .selectFrom("claims")
    .select("connection_id")
    .where("hostname", "=", hostname)
    .where("tenant_id", "=", tenantId)
    .where("environment", "=", environment)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertQuotaWait(tx: Tx, connection: Connection, now: Date): Promise<void> {
  const { id, tenantId, environment } = connection;
  await tx
    .insertInto("quota_waits")
    .values({ connection_id: id, tenant_id: tenantId, environment, since: now })
    .execute();
}

export async function isInQuotaWaits(tx: Tx, connectionId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("quota_waits")
    .select("connection_id")
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  return row !== undefined;
}

/** A tenant's environment with names that wait. */
export interface WaitingTenant extends TenantScope {
  /** The id of its plan. */
  readonly plan: string;
  readonly held: number;
  readonly waiting: number;
}

export async function selectWaitingTenants(tx: Tx): Promise<readonly WaitingTenant[]> {
  const { rows } = await sql<WaitingTenant>`
    select w.tenant_id as "tenantId", w.environment, t.plan, h.held, w.waiting
    from (select tenant_id, environment, count(*)::int as waiting from quota_waits group by 1, 2) w
    join held_hostnames h on h.tenant_id = w.tenant_id and h.environment = w.environment
    join tenants t on t.id = w.tenant_id`.execute(tx);
  return rows;
}

export async function countQuotaWaits(tx: Tx, scope: TenantScope): Promise<number> {
  const { waiting } = await tx
    .selectFrom("quota_waits")
    .select((eb) => eb.fn.countAll<number>().as("waiting"))
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment)
    .executeTakeFirstOrThrow();
  return Number(waiting);
}

/** Of all tenants. */
export async function countAllQuotaWaits(tx: Tx): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from quota_waits`.execute(tx);
  return rows[0]?.waiting ?? 0;
}

/** Ends the wait of those that came first, at most `limit`; answers their connections. */
export async function endQuotaWaits(
  tx: Tx,
  scope: TenantScope,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from quota_waits where connection_id in (
      select connection_id from quota_waits
      where tenant_id = ${scope.tenantId} and environment = ${scope.environment}
      order by since, connection_id limit ${limit})
    returning connection_id as id`.execute(tx);
  return rows.map(({ id }) => id);
}
