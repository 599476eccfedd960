import { sql } from "kysely";
import type { ConnectionError, ConnectionState } from "../../domain/connection.ts";
import type { FindingActor } from "../../domain/diagnosis/finding.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import type { Tx } from "../engine/transaction.ts";

/** What happened on one day, in UTC. */
export interface DayCounts {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly created: number;
  readonly live: number;
  readonly failed: number;
  readonly drifted: number;
}

export interface ConnectionSummary {
  readonly byState: Readonly<Partial<Record<ConnectionState, number>>>;
  readonly byErrorCode: Readonly<Partial<Record<ConnectionError, number>>>;
  readonly byActor: Readonly<Partial<Record<FindingActor, number>>>;
  readonly timeToLive: { readonly medianS: number | null; readonly p95S: number | null };
  readonly certificatesExpiring: number;
  readonly series: readonly DayCounts[];
}

export interface SummaryWindow {
  readonly now: Date;
  /** The first moment of the first day. */
  readonly since: Date;
  readonly days: number;
  readonly expiringUntil: Date;
}

/** Counted from indexes alone; the tenant is named beside the policy so that they serve. */
export async function selectSummary(
  tx: Tx,
  scope: TenantScope,
  window: SummaryWindow,
): Promise<ConnectionSummary> {
  const { tenantId, environment } = scope;
  const own = sql`tenant_id = ${tenantId} and environment = ${environment}`;
  const count = async <K extends string>(column: string, where: string) => {
    const { rows } = await sql<{ readonly name: K; readonly amount: number }>`
      select ${sql.raw(column)} as name, count(*)::int as amount from connections
      where ${own} and ${sql.raw(where)} group by 1`.execute(tx);
    return Object.fromEntries(rows.map((row) => [row.name, row.amount])) as Partial<
      Record<K, number>
    >;
  };
  return {
    byState: await count<ConnectionState>("state", "true"),
    byErrorCode: await count<ConnectionError>(
      "error_code",
      "error_code is not null and state <> 'archived'",
    ),
    byActor: await count<FindingActor>(
      "finding ->> 'actor'",
      "finding is not null and state <> 'archived'",
    ),
    timeToLive: await selectTimeToLive(tx, scope, window),
    certificatesExpiring: await countExpiring(tx, scope, window),
    series: await selectSeries(tx, scope, window),
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
