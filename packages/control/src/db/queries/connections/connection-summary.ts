import { sql } from "kysely";
import {
  type ConnectionError,
  type ConnectionState,
  connectionStates,
  holdsClaim,
} from "../../../domain/connections/connection.ts";
import type { StuckSince } from "../../../domain/connections/stuck.ts";
import type { FindingActor } from "../../../domain/diagnosis/finding.ts";
import type { TenantScope } from "../../../domain/tenancy.ts";
import type { Tx } from "../../engine/transaction.ts";
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
  /** In their state for longer than is usual for it. */
  readonly stuck: number;
  readonly timeToLive: { readonly medianS: number | null; readonly p95S: number | null };
  readonly certificatesExpiring: number;
  readonly series: readonly DayCounts[];
}

export interface SummaryWindow extends DayWindow {
  readonly expiringUntil: Date;
  readonly stuckSince: StuckSince;
}

/**
 * A tenant with more connections than this is summed up from what is stored: counting all takes too
 * long.
 */
const manyConnections = 20_000;

/** The tenants with so many connections, as far as the names that they hold tell it. */
export async function listLargeScopes(
  tx: Tx,
  many = manyConnections,
): Promise<readonly TenantScope[]> {
  const rows = await tx
    .selectFrom("held_hostnames")
    .select(["tenant_id", "environment"])
    .where("held", ">", many)
    .execute();
  return rows.map(({ tenant_id: tenantId, environment }) => ({ tenantId, environment }));
}

/** The tenant is named beside the policy so that indexes serve. */
export async function selectSummary(
  tx: Tx,
  scope: TenantScope,
  window: SummaryWindow,
  many = manyConnections,
): Promise<ConnectionSummary> {
  const certificatesExpiring = await countExpiring(tx, scope, window);
  if (await hasMoreThan(tx, scope, many)) {
    return {
      ...(await deriveCounts(tx, scope, window)),
      certificatesExpiring,
      ...storedDays(await selectDays(tx, scope, window)),
    };
  }
  return {
    ...(await countAll(tx, scope, window)),
    certificatesExpiring,
    timeToLive: await selectTimeToLive(tx, scope, window),
    series: await selectSeries(tx, scope, window),
  };
}

/** The names that are held tell it of most large tenants, without counting. */
async function hasMoreThan(tx: Tx, scope: TenantScope, count: number): Promise<boolean> {
  const own = sql`tenant_id = ${scope.tenantId} and environment = ${scope.environment}`;
  const { rows } = await sql<{ readonly is_more: boolean }>`
    select coalesce((select held > ${count} from held_hostnames where ${own}), false)
      or (select count(*) > ${count} from (
        select from connections where ${own} limit ${count + 1}) as counted) as is_more`.execute(
    tx,
  );
  return rows[0]?.is_more ?? false;
}

type Counts = Pick<ConnectionSummary, "byState" | "byErrorCode" | "byActor" | "stuck">;

/** Without those that are well, so that an index of the others serves. */
const isStuck = ({ stuckSince }: SummaryWindow) =>
  sql<boolean>`state <> 'archived' and (state <> 'live' or error_code is not null)
    and is_stuck(state, coalesce(state_since, phase_started_at), cutover, ${JSON.stringify(stuckSince)}::jsonb)`;

async function countAll(tx: Tx, scope: TenantScope, window: SummaryWindow): Promise<Counts> {
  const { rows } = await sql<{ readonly stuck: number }>`
    select count(*)::int as stuck from only connections
    where tenant_id = ${scope.tenantId} and environment = ${scope.environment}
      and ${isStuck(window)}`.execute(tx);
  return {
    stuck: rows[0]?.stuck ?? 0,
    byState: await countBy(tx, scope, "state", "true"),
    byErrorCode: await countBy(
      tx,
      scope,
      "error_code",
      "error_code is not null and state <> 'archived'",
    ),
    byActor: await countBy(
      tx,
      scope,
      "finding ->> 'actor'",
      "finding is not null and state <> 'archived'",
    ),
  };
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
  return sums(rows.map(({ name, amount }) => [name, amount]));
}

interface Group {
  readonly state: ConnectionState;
  readonly code: ConnectionError | null;
  readonly actor: FindingActor | null;
  readonly amount: number;
  readonly stuck: number;
}

/**
 * Almost all connections of a large tenant are live and well: one pass reads the others. Each live
 * one holds its name, so that they are the names that are held, less those held in other states.
 * One statement, so that all is of the same moment.
 */
async function deriveCounts(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  window: SummaryWindow,
): Promise<Counts> {
  const own = sql`tenant_id = ${tenantId} and environment = ${environment}`;
  const held = connectionStates.filter((state) => state !== "live" && holdsClaim(state));
  const { rows } = await sql<Group & { readonly isDerived: boolean }>`
    with others as (
      select state, error_code as code, finding ->> 'actor' as actor, count(*)::int as amount,
        count(*) filter (where ${isStuck(window)})::int as stuck from only connections
      where ${own} and ((state <> 'archived' and (state <> 'live' or error_code is not null))
        or (finding is not null and state <> 'archived'))
      group by 1, 2, 3)
    select state, code, actor, amount, stuck, false as "isDerived" from others
    union all
    select 'archived', null, null, count(*)::int, 0, true from connections where ${own} and state = 'archived'
    union all
    select 'live', null, null, greatest(0, held - coalesce((select sum(amount) from others
      where state = any (${held}::text[])), 0))::int, 0, true
    from held_hostnames where ${own}`.execute(tx);
  const seen = rows.filter(({ isDerived }) => !isDerived);
  const states = rows.filter(({ state, isDerived }) => isDerived || state !== "live");
  return {
    byState: sums(states.map(({ state, amount }) => [state, amount])),
    byErrorCode: sums(seen.map(({ code, amount }) => [code, amount])),
    byActor: sums(seen.map(({ actor, amount }) => [actor, amount])),
    stuck: seen.reduce((sum, { stuck }) => sum + stuck, 0),
  };
}

/** Without what has no name or is none. */
function sums<K extends string>(
  amounts: readonly (readonly [name: K | null, amount: number])[],
): Partial<Record<K, number>> {
  const found: Partial<Record<K, number>> = {};
  for (const [name, amount] of amounts) {
    if (name !== null && amount > 0) found[name] = (found[name] ?? 0) + amount;
  }
  return found;
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
