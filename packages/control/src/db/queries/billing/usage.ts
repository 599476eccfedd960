import { sql } from "kysely";
import type { Environment, TenantScope } from "../../../domain/tenancy.ts";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { UsageKind } from "../../tables.ts";

export type Counters = Readonly<Record<UsageKind, number>>;

export async function selectCounters(tx: Tx, period: string): Promise<Counters> {
  const rows = await tx
    .selectFrom("usage_counters")
    .select(["kind", "amount"])
    .where("period", "=", period)
    .execute();
  const counters = { connect: 0, active_domain: 0, cert: 0, api_call: 0 };
  for (const row of rows) counters[row.kind] = row.amount;
  return counters;
}

/**
 * Counts one thing, or as many as given, unless that exceeds the limit, in one statement that locks
 * the counter's row: of many takers at limit − 1 exactly one gets it. False leaves nothing behind.
 */
export async function takeFromQuota(
  tx: Tx,
  scope: TenantScope,
  taking: {
    readonly period: string;
    readonly kind: UsageKind;
    readonly limit: number | null;
    readonly amount?: number;
  },
): Promise<boolean> {
  const { amount = 1 } = taking;
  if (taking.limit !== null && taking.limit < amount) return false;
  const { rows } = await sql<{ amount: number }>`
    insert into usage_counters as c (tenant_id, environment, period, kind, amount)
    values (${scope.tenantId}, ${scope.environment}, ${taking.period}, ${taking.kind}, ${amount})
    on conflict (tenant_id, environment, period, kind) do update set amount = c.amount + excluded.amount
      where ${taking.limit}::bigint is null or c.amount + excluded.amount <= ${taking.limit}::bigint
    returning amount`.execute(tx);
  return rows.length === 1;
}

/** False when this cause was counted before. */
export async function insertCause(
  tx: Tx,
  scope: TenantScope,
  cause: { readonly kind: "connect" | "cert"; readonly id: string; readonly at: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("usage_causes")
    .values({
      tenant_id: scope.tenantId,
      environment: scope.environment,
      kind: cause.kind,
      cause: cause.id,
      at: cause.at,
    })
    .onConflict((conflict) => conflict.columns(["kind", "cause"]).doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Causes that are counted for the first time. */
export async function insertCauses(
  tx: Tx,
  scope: TenantScope,
  causes: {
    readonly kind: "connect" | "cert";
    readonly ids: readonly string[];
    readonly at: Date;
  },
): Promise<void> {
  await sql`insert into usage_causes (tenant_id, environment, kind, cause, at)
    select ${scope.tenantId}::uuid, ${scope.environment}, ${causes.kind}, cause, ${causes.at}::timestamptz
    from unnest(${causes.ids}::uuid[]) as c (cause)`.execute(tx);
}

export interface CallCount extends TenantScope {
  readonly environment: Environment;
  readonly period: string;
  readonly amount: number;
}

/** Adds many tenants' counted calls in one statement. */
export async function addApiCalls(database: Database, counts: readonly CallCount[]): Promise<void> {
  const statement = { name: "add_api_calls", text: "select add_api_calls($1, $2, $3, $4)" };
  await database.prepared(statement, [
    counts.map((count) => count.tenantId),
    counts.map((count) => count.environment),
    counts.map((count) => count.period),
    counts.map((count) => count.amount),
  ]);
}

/** Moves a peak up, never down. */
export async function raiseCounter(
  tx: Tx,
  scope: TenantScope,
  peak: { readonly period: string; readonly kind: UsageKind; readonly amount: number },
): Promise<void> {
  await sql`insert into usage_counters as c (tenant_id, environment, period, kind, amount)
    values (${scope.tenantId}, ${scope.environment}, ${peak.period}, ${peak.kind}, ${peak.amount})
    on conflict (tenant_id, environment, period, kind)
      do update set amount = greatest(c.amount, excluded.amount)`.execute(tx);
}
