import { type RawBuilder, sql } from "kysely";
import type { TenantScope } from "../../../domain/tenancy.ts";
import type { Tx } from "../../engine/transaction.ts";

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
const fractions = Array.from({ length: quantiles }, (_, index) => (index + 0.5) / quantiles);

/**
 * The days of the window, oldest first. Days that have ended are counted once and stored, so that a
 * summary of a million connections reads thirty rows and counts one day.
 */
export async function selectDays(
  tx: Tx,
  scope: TenantScope,
  window: DayWindow,
): Promise<readonly Day[]> {
  const stored = await storeEndedDays(tx, scope, window);
  const days: Day[] = [];
  for (const date of datesIn(window))
    days.push(stored.get(date) ?? (await countDay(tx, scope, date)));
  return days;
}

/** The days of the window that have ended, each counted and stored if it is not yet. */
export async function storeEndedDays(
  tx: Tx,
  scope: TenantScope,
  window: DayWindow,
): Promise<ReadonlyMap<string, Day>> {
  const { since, now } = window;
  const stored = new Map((await selectStored(tx, scope, since)).map((day) => [day.date, day]));
  const counted: Day[] = [];
  for (const date of datesIn(window)) {
    if (!stored.has(date) && isSettled(date, now)) counted.push(await countDay(tx, scope, date));
  }
  await storeDays(tx, scope, since, counted);
  return new Map([...stored, ...counted.map((day) => [day.date, day] as const)]);
}

function datesIn({ since, days }: DayWindow): readonly string[] {
  return Array.from({ length: days }, (_, index) => formatDate(since.getTime() + index * dayMs));
}

function isSettled(date: string, now: Date): boolean {
  return now.getTime() >= Date.parse(`${date}T00:00:00Z`) + dayMs + settledAfterMs;
}

function formatDate(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

async function selectStored(tx: Tx, scope: TenantScope, since: Date): Promise<readonly Day[]> {
  const { rows } = await sql<Day>`
    select to_char(day, 'YYYY-MM-DD') as date, created, live, failed, drifted, took from connection_days
    where tenant_id = ${scope.tenantId} and environment = ${scope.environment}
      and day >= ${formatDate(since.getTime())}::date`.execute(tx);
  return rows;
}

/** Of more connections a sample gives the quantiles: sorting all of a large day takes too long. */
const sampleSize = 10_000;

/**
 * Counts from indexes alone, in a statement for each figure, so that a day of an import ends in
 * time too.
 */
async function countDay(tx: Tx, scope: TenantScope, date: string): Promise<Day> {
  const own = sql`tenant_id = ${scope.tenantId} and environment = ${scope.environment}`;
  const begin = new Date(`${date}T00:00:00Z`);
  const within = (column: string) =>
    sql`${sql.raw(column)} >= ${begin} and ${sql.raw(column)} < ${new Date(begin.getTime() + dayMs)}`;
  const count = async (from: RawBuilder<unknown>): Promise<number> => {
    const { rows } = await sql<{
      readonly amount: number;
    }>`select count(*)::int as amount from ${from}`.execute(tx);
    return rows[0]?.amount ?? 0;
  };
  const live = await count(sql`connections where ${own} and ${within("first_live_at")}`);
  const events = (type: string) =>
    count(sql`events where ${own} and type = ${type} and ${within("created_at")}`);
  const { rows } = await sql<{ readonly took: readonly number[] | null }>`
    select percentile_disc(${fractions}::float8[]) within group (
      order by extract(epoch from first_live_at - created_at)::float8) as took
    from connections where ${own} and ${within("first_live_at")}
      and random() < ${live > sampleSize ? sampleSize / live : 2}::float8`.execute(tx);
  return {
    date,
    created: await count(sql`connections where ${own} and ${within("created_at")}`),
    live,
    failed: await events("domain.failed"),
    drifted: await events("domain.drift"),
    took: live === 0 ? [] : (rows[0]?.took ?? []),
  };
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
      and day < ${formatDate(since.getTime())}::date`.execute(tx);
}

/**
 * The time within which this part of those that went live did, over several days; null when none
 * did.
 */
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
