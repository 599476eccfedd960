import { sql } from "kysely";
import { connectionStates } from "../../../domain/connections/connection.ts";
import type { Tx } from "../../engine/transaction.ts";

/** How many rows of one kind of work are due and wait, and for how long the oldest has. */
export interface Backlog {
  readonly work: string;
  readonly rows: number;
  readonly oldestSeconds: number;
}

/** Connections in one state on the way to live. */
export interface InProgress {
  readonly state: string;
  readonly rows: number;
  readonly oldestSeconds: number;
}

/** How long connections that went live recently took, in seconds. */
export interface TimeToLive {
  readonly provider: string;
  readonly rows: number;
  readonly median: number;
  readonly p90: number;
}

const recentHours = 24;
const settled: readonly string[] = ["live", "archived", "failed"];
const statesInProgress = connectionStates.filter((state) => !settled.includes(state));

/**
 * Of a backlog so many rows are counted for each tenant, and so many tenants: a scrape must stay
 * cheap.
 */
const maxCounted = 10_000;
const maxQueues = 1_000;

/** Leased rows are being worked on and do not wait. */
export async function selectBacklogs(tx: Tx, now: Date): Promise<readonly Backlog[]> {
  const { rows } = await sql<Backlog>`
    select work, count(due_at)::int as rows,
      coalesce(greatest(0, extract(epoch from ${now}::timestamptz - min(due_at))), 0)::float8 as "oldestSeconds"
    from (values ('connections'), ('deliveries'), ('certificates'), ('registrations')) as kinds (work)
    left join lateral (
      select c.due_at from (
          select * from check_queues where turn_at <= ${now} order by turn_at limit ${maxQueues}) as q
        cross join lateral (
          select due_at from connection_checks c where c.tenant_id = q.tenant_id
            and c.environment = q.environment and c.lane = q.lane and c.due_at <= ${now}
            and (c.leased_until is null or c.leased_until <= ${now})
          order by c.due_at limit ${maxCounted}) as c
      where work = 'connections'
      union all
      select d.due_at from (
          select * from endpoint_queue where turn_at <= ${now} order by turn_at limit ${maxQueues}) as q
        join webhook_endpoints e on e.id = q.endpoint_id and e.active
        cross join lateral (
          select due_at from deliveries d where d.endpoint_id = q.endpoint_id and d.due_at <= ${now}
            and (d.leased_until is null or d.leased_until <= ${now})
          order by d.due_at limit ${maxCounted}) as d
      where work = 'deliveries'
      union all
      select due_at from (
        select due_at from certificates where due_at <= ${now}
          and (leased_until is null or leased_until <= ${now})
        order by due_at limit ${maxCounted}) as c
      where work = 'certificates'
      union all
      select due_at from (
        select due_at from registrations where due_at <= ${now}
          and (leased_until is null or leased_until <= ${now})
        order by due_at limit ${maxCounted}) as r
      where work = 'registrations'
    ) as due on true
    group by work order by work`.execute(tx);
  return rows;
}

export async function selectInProgress(tx: Tx, now: Date): Promise<readonly InProgress[]> {
  const { rows } = await sql<InProgress>`
    select s.state, count(*)::int as rows,
      greatest(0, extract(epoch from ${now}::timestamptz - min(c.phase_started_at)))::float8 as "oldestSeconds"
    from unnest(${statesInProgress}::text[]) as s (state) cross join lateral (
      select phase_started_at from only connections
      where state = s.state and state not in ('live', 'archived', 'failed')
      order by phase_started_at limit ${maxCounted}) as c
    group by s.state order by s.state`.execute(tx);
  return rows;
}

export async function selectTimesToLive(tx: Tx, now: Date): Promise<readonly TimeToLive[]> {
  const { rows } = await sql<TimeToLive>`
    select coalesce(provider, 'unknown') as provider, count(*)::int as rows,
      percentile_cont(0.5) within group (order by took) as median,
      percentile_cont(0.9) within group (order by took) as p90
    from (
      select provider, extract(epoch from first_live_at - created_at)::float8 as took
      from only connections where first_live_at > ${now}::timestamptz - make_interval(hours => ${recentHours}::int)
      order by first_live_at desc limit ${maxCounted}
    ) as recent
    group by 1 order by 1`.execute(tx);
  return rows;
}
