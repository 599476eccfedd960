import { sql } from "kysely";
import {
  type ConnectionError,
  type ConnectionState,
  connectionStates,
  holdsClaim,
} from "../../domain/connection.ts";
import type { FindingActor } from "../../domain/diagnosis/finding.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import type { Tx } from "../engine/transaction.ts";
import {
  type Day,
  type DayCounts,
  type DayWindow,
  selectDays,
  timeToLive,
} from "./connection-days.ts";

export interface ConnectionSummary {
  readonly byState: Readonly<Partial<Record<ConnectionState, number>>>;
  readonly byErrorCode: Readonly<Partial<Record<ConnectionError, number>>>;
  readonly byActor: Readonly<Partial<Record<FindingActor, number>>>;
  readonly timeToLive: { readonly medianS: number | null; readonly p95S: number | null };
  readonly certificatesExpiring: number;
  readonly series: readonly DayCounts[];
}

export interface SummaryWindow extends DayWindow {
  readonly expiringUntil: Date;
}

/** A tenant with more connections than this is summed up from what is stored: counting all takes too long. */
const manyConnections = 20_000;

/** The tenant is named beside the policy so that indexes serve. */
export async function selectSummary(
  tx: Tx,
  scope: TenantScope,
  window: SummaryWindow,
  many = manyConnections,
): Promise<ConnectionSummary> {
  const hasMany = await hasMoreThan(tx, scope, many);
  return {
    byState: hasMany ? await deriveStates(tx, scope) : await countBy(tx, scope, "state", "true"),
    byErrorCode: await countBy<ConnectionError>(
      tx,
      scope,
      "error_code",
      "error_code is not null and state <> 'archived'",
    ),
    byActor: await countBy<FindingActor>(
      tx,
      scope,
      "finding ->> 'actor'",
      "finding is not null and state <> 'archived'",
    ),
    certificatesExpiring: await countExpiring(tx, scope, window),
    ...(hasMany
      ? storedDays(await selectDays(tx, scope, window))
      : {
          timeToLive: await selectTimeToLive(tx, scope, window),
          series: await selectSeries(tx, scope, window),
        }),
  };
}

async function hasMoreThan(tx: Tx, scope: TenantScope, count: number): Promise<boolean> {
  const { rows } = await sql<{ readonly amount: number }>`
    select count(*)::int as amount from (select from connections
      where tenant_id = ${scope.tenantId} and environment = ${scope.environment}
      limit ${count + 1}) as counted`.execute(tx);
  return (rows[0]?.amount ?? 0) > count;
}

async function countBy<K extends string>(
  tx: Tx,
  scope: TenantScope,
  column: string,
  where: string,
): Promise<Partial<Record<K, number>>> {
  const { rows } = await sql<{ readonly name: K; readonly amount: number }>`
    select ${sql.raw(column)} as name, count(*)::int as amount from connections
    where tenant_id = ${scope.tenantId} and environment = ${scope.environment}
      and ${sql.raw(where)} group by 1`.execute(tx);
  return namedCounts(rows);
}

/**
 * Almost all connections of a large tenant are live, and each of those holds its name: they are the names that are
 * held, less those held in other states. One statement, so that both are of the same moment.
 */
async function deriveStates(
  tx: Tx,
  { tenantId, environment }: TenantScope,
): Promise<Partial<Record<ConnectionState, number>>> {
  const others = connectionStates.filter((state) => state !== "live");
  const held = others.filter(holdsClaim);
  const { rows } = await sql<{ readonly name: ConnectionState; readonly amount: number }>`
    with others as (
      select state as name, count(*)::int as amount from connections
      where tenant_id = ${tenantId} and environment = ${environment} and state = any (${others}::text[]) group by 1)
    select name, amount from others
    union all
    select 'live', greatest(0, held - coalesce((select sum(amount) from others
      where name = any (${held}::text[])), 0))::int
    from held_hostnames where tenant_id = ${tenantId} and environment = ${environment}`.execute(tx);
  return namedCounts(rows.filter(({ amount }) => amount > 0));
}

function namedCounts<K extends string>(
  rows: readonly { readonly name: K; readonly amount: number }[],
): Partial<Record<K, number>> {
  return Object.fromEntries(rows.map((row) => [row.name, row.amount])) as Partial<
    Record<K, number>
  >;
}

function storedDays(days: readonly Day[]): Pick<ConnectionSummary, "timeToLive" | "series"> {
  return {
    timeToLive: { medianS: timeToLive(days, 0.5), p95S: timeToLive(days, 0.95) },
    series: days.map(({ took: _, ...counts }) => counts),
  };
}

async function selectTimeToLive(tx: Tx, scope: TenantScope, { since }: SummaryWindow) {
  const { rows } = await sql<{ readonly median: number | null; readonly p95: number | null }>`
    select percentile_cont(0.5) within group (order by took) as median,
      percentile_cont(0.95) within group (order by took) as p95
    from (select extract(epoch from first_live_at - created_at)::float8 as took from connections
      where tenant_id = ${scope.tenantId} and environment = ${scope.environment}
        and first_live_at >= ${since}) as lived`.execute(tx);
  return { medianS: rows[0]?.median ?? null, p95S: rows[0]?.p95 ?? null };
}

async function countExpiring(tx: Tx, scope: TenantScope, { now, expiringUntil }: SummaryWindow) {
  const { rows } = await sql<{ readonly amount: number }>`
    select count(*)::int as amount from certificates
    where tenant_id = ${scope.tenantId} and environment = ${scope.environment}
      and not_after > ${now} and not_after <= ${expiringUntil}`.execute(tx);
  return rows[0]?.amount ?? 0;
}

const dayMs = 86_400_000;

async function selectSeries(tx: Tx, scope: TenantScope, window: SummaryWindow) {
  const own = sql`tenant_id = ${scope.tenantId} and environment = ${scope.environment}`;
  const { rows } = await sql<{
    readonly date: string;
    readonly kind: string;
    readonly amount: number;
  }>`
    select to_char(day, 'YYYY-MM-DD') as date, kind, count(*)::int as amount from (
      select date_trunc('day', created_at at time zone 'UTC') as day, 'created' as kind
        from connections where ${own} and created_at >= ${window.since}
      union all
      select date_trunc('day', first_live_at at time zone 'UTC'), 'live'
        from connections where ${own} and first_live_at >= ${window.since}
      union all
      select date_trunc('day', created_at at time zone 'UTC'),
        case type when 'domain.failed' then 'failed' else 'drifted' end
        from events where ${own} and type in ('domain.failed', 'domain.drift') and created_at >= ${window.since}
    ) as happened group by 1, 2`.execute(tx);
  const amounts = new Map(rows.map(({ date, kind, amount }) => [`${date} ${kind}`, amount]));
  return Array.from({ length: window.days }, (_, index): DayCounts => {
    const date = new Date(window.since.getTime() + index * dayMs).toISOString().slice(0, 10);
    const of = (kind: string) => amounts.get(`${date} ${kind}`) ?? 0;
    return {
      date,
      created: of("created"),
      live: of("live"),
      failed: of("failed"),
      drifted: of("drifted"),
    };
  });
}
