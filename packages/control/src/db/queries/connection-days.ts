import { sql } from "kysely";
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

/** With the times from create to live, as quantiles at equal distances. */
export interface Day extends DayCounts {
  readonly took: readonly number[];
}

export interface DayWindow {
  readonly now: Date;
  /** The first moment of the first day. */
  readonly since: Date;
  readonly days: number;
}

const dayMs = 86_400_000;
/** A transaction that began before midnight may commit after it; none takes this long. */
const settledAfterMs = 3_600_000;
const quantiles = 200;

/**
 * The days of the window, oldest first. Days that are over are counted once and stored, so that a summary of a million
 * connections reads thirty rows and counts one day.
 */
export async function selectDays(
  tx: Tx,
  scope: TenantScope,
  window: DayWindow,
): Promise<readonly Day[]> {
  const { since, now } = window;
  const dates = Array.from({ length: window.days }, (_, index) =>
    dateOf(since.getTime() + index * dayMs),
  );
  const stored = new Map((await selectStored(tx, scope, since)).map((day) => [day.date, day]));
  const missing = dates.filter((date) => !stored.has(date));
  const [first] = missing;
  if (first === undefined) return dates.flatMap((date) => stored.get(date) ?? []);
  const counted = await countDays(tx, scope, new Date(`${first}T00:00:00Z`));
  const found = new Map(counted.map((day) => [day.date, day]));
  const days = dates.map((date) => stored.get(date) ?? found.get(date) ?? emptyDay(date));
  await storeDays(
    tx,
    scope,
    since,
    days.filter(({ date }) => !stored.has(date) && isOver(date, now)),
  );
  return days;
}

function isOver(date: string, now: Date): boolean {
  return now.getTime() >= Date.parse(`${date}T00:00:00Z`) + dayMs + settledAfterMs;
}

function dateOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

function emptyDay(date: string): Day {
  return { date, created: 0, live: 0, failed: 0, drifted: 0, took: [] };
}

async function selectStored(tx: Tx, scope: TenantScope, since: Date): Promise<readonly Day[]> {
  const { rows } = await sql<Day>`
    select to_char(day, 'YYYY-MM-DD') as date, created, live, failed, drifted, took from connection_days
    where tenant_id = ${scope.tenantId} and environment = ${scope.environment}
      and day >= ${dateOf(since.getTime())}::date`.execute(tx);
  return rows;
}

/** Counts from indexes alone. Days on which nothing happened are left out. */
async function countDays(tx: Tx, scope: TenantScope, since: Date): Promise<readonly Day[]> {
  const own = sql`tenant_id = ${scope.tenantId} and environment = ${scope.environment}`;
  const fractions = Array.from({ length: quantiles }, (_, index) => (index + 0.5) / quantiles);
  // The day is a number while rows are grouped: a text for each row would cost more than counting it.
  const dayOf = (column: string) => sql`floor(extract(epoch from ${sql.raw(column)}) / 86400)::int`;
  const { rows } = await sql<Day>`
    with created as (
      select ${dayOf("created_at")} as day, count(*)::int as amount from connections
      where ${own} and created_at >= ${since} group by 1),
    lived as (
      select ${dayOf("first_live_at")} as day, count(*)::int as amount,
        percentile_disc(${fractions}::float8[]) within group (
          order by extract(epoch from first_live_at - created_at)::float8) as took
      from connections where ${own} and first_live_at >= ${since} group by 1),
    troubled as (
      select ${dayOf("created_at")} as day, count(*) filter (where type = 'domain.failed')::int as failed,
        count(*) filter (where type = 'domain.drift')::int as drifted
      from events where ${own} and type in ('domain.failed', 'domain.drift') and created_at >= ${since} group by 1)
    select to_char(date '1970-01-01' + day, 'YYYY-MM-DD') as date, coalesce(created.amount, 0) as created,
      coalesce(lived.amount, 0) as live, coalesce(failed, 0) as failed, coalesce(drifted, 0) as drifted,
      coalesce(took, '{}') as took
    from created full join lived using (day) full join troubled using (day)`.execute(tx);
  return rows;
}

async function storeDays(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  since: Date,
  days: readonly Day[],
): Promise<void> {
  if (days.length === 0) return;
  // Another process may have counted the same.
  await sql`
    insert into connection_days (tenant_id, environment, day, created, live, failed, drifted, took)
    select ${tenantId}, ${environment}, date, created, live, failed, drifted, took
    from jsonb_to_recordset(${JSON.stringify(days)}::jsonb)
      as d (date date, created int, live int, failed int, drifted int, took float8[])
    on conflict do nothing`.execute(tx);
  await sql`
    delete from connection_days where tenant_id = ${tenantId} and environment = ${environment}
      and day < ${dateOf(since.getTime())}::date`.execute(tx);
}

/** The time within which this part of those that went live did, over several days; null when none did. */
export function timeToLive(days: readonly Day[], part: number): number | null {
  const points = days
    .flatMap(({ took, live }) => took.map((value) => ({ value, weight: live / took.length })))
    .sort((a, b) => a.value - b.value);
  const total = points.reduce((sum, { weight }) => sum + weight, 0);
  let upTo = 0;
  for (const { value, weight } of points) {
    upTo += weight;
    if (upTo >= total * part) return value;
  }
  return points.at(-1)?.value ?? null;
}
