import { sql } from "kysely";
import type { Tx } from "../../engine/transaction.ts";
import { amounts, type TrafficOrder, type TrafficSpan, trafficOrders } from "./read-traffic.ts";

/** With so many names in an hour a tenant, or an application, is ranked; others are read whole. */
const manyNames = 2_000;
/** So many of an hour or a day are stored, for each order: twice as many as a list has. */
const rankLength = 200;
/** So many are compared by what they have in the whole time. */
const maxCandidates = 400;

/** Hours that are to be ranked, the newest first: see `rankTraffic`. */
export async function selectUnranked(
  tx: Tx,
  now: Date,
  {
    backMs,
    againMs,
    settledMs,
  }: { readonly backMs: number; readonly againMs: number; readonly settledMs: number },
): Promise<readonly Date[]> {
  const { rows } = await sql<{ hour: Date }>`
    select distinct t.hour from traffic_reports t left join traffic_rankings r on r.hour = t.hour
    where t.hour > ${new Date(now.getTime() - backMs)} and t.hour <= ${now}
      and (r.hour is null or (r.ranked_at <= ${new Date(now.getTime() - againMs)}
        and r.ranked_at < t.hour + ${`${settledMs} milliseconds`}::interval))
    order by t.hour desc`.execute(tx);
  return rows.map(({ hour }) => hour);
}

/** Whether nobody else ranks; until the transaction ends, nobody does. */
export async function lockRanking(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`select pg_try_advisory_xact_lock(
    hashtextextended('traffic_ranking', 0)) as "isLocked"`.execute(tx);
  return rows[0]?.isLocked ?? false;
}

interface NameCount {
  readonly tenantId: string;
  readonly environment: string;
  readonly applicationId: string;
  readonly names: number;
}

/**
 * Ranks the names of an hour; replaces an earlier ranking. Reads the rows of the hour, once more
 * for each order where there is a tenant with many names.
 */
export async function rankHour(tx: Tx, hour: Date, now: Date, many = manyNames): Promise<void> {
  const { rows } = await sql<NameCount>`
    select tenant_id as "tenantId", environment, application_id as "applicationId",
      count(*)::int as names
    from traffic_hours where hour = ${hour} and subject_id <> application_id
    group by 1, 2, 3`.execute(tx);
  const byTenant = Map.groupBy(rows, (row) => `${row.tenantId} ${row.environment}`);
  const tenants = [...byTenant.values()]
    .filter((own) => own.reduce((sum, { names }) => sum + names, 0) > many)
    .flatMap((own) => own.slice(0, 1));
  const applications = rows.filter(({ names }) => names > many).map((row) => row.applicationId);
  // So that the amounts of a million names are sorted in memory.
  await sql`select set_config('work_mem', '128MB', true)`.execute(tx);
  await sql`delete from traffic_tops where at = ${hour} and step = 'hour'`.execute(tx);
  if (tenants.length > 0) {
    for (const order of trafficOrders) await rankBy(tx, order, { hour, tenants, applications });
  }
  await sql`insert into traffic_rankings as r (hour, ranked_at) values (${hour}, ${now})
    on conflict (hour) do update set ranked_at = excluded.ranked_at`.execute(tx);
}

/**
 * First in each application, then among those in the tenant: what is first of all names is first
 * in its application. A row is a name at one edge.
 */
async function rankBy(
  tx: Tx,
  order: TrafficOrder,
  {
    hour,
    tenants,
    applications,
  }: {
    readonly hour: Date;
    readonly tenants: readonly Pick<NameCount, "tenantId" | "environment">[];
    readonly applications: readonly string[];
  },
): Promise<void> {
  await sql`
    with found as (
      select tenant_id, environment, application_id, subject_id, ${amounts[order]} as amount
      from traffic_hours
      where hour = ${hour} and subject_id <> application_id and ${amounts[order]} > 0
        and (tenant_id, environment) in (select * from unnest(
          ${tenants.map((one) => one.tenantId)}::uuid[],
          ${tenants.map((one) => one.environment)}::text[]))
    ), in_application as (
      select * from (select *, row_number() over (partition by application_id
          order by amount desc) as number from found) f
      where number <= ${rankLength}
    ), in_tenant as (
      select * from (select *, row_number() over (partition by tenant_id, environment
          order by amount desc) as among from in_application) a
      where among <= ${rankLength}
    ), chosen as (
      select tenant_id, environment, application_id as scope_id, subject_id, amount
      from in_application where application_id = any (${applications}::uuid[])
      union all
      select tenant_id, environment, tenant_id, subject_id, amount from in_tenant
    )
    insert into traffic_tops (tenant_id, environment, scope_id, step, sort, at, subject_id, amount)
    select tenant_id, environment, scope_id, 'hour', ${order}, ${hour}, subject_id, sum(amount)
    from chosen group by tenant_id, environment, scope_id, subject_id`.execute(tx);
}

/** Ranks a day by the rankings of its hours; replaces an earlier one. */
export async function rankDay(tx: Tx, day: Date): Promise<void> {
  const until = new Date(day.getTime() + 86_400_000);
  await sql`delete from traffic_tops where at = ${day} and step = 'day'`.execute(tx);
  await sql`
    insert into traffic_tops (tenant_id, environment, scope_id, step, sort, at, subject_id, amount)
    select tenant_id, environment, scope_id, 'day', sort, ${day}, subject_id, amount
    from (select tenant_id, environment, scope_id, sort, subject_id, sum(amount) as amount,
        row_number() over (partition by tenant_id, environment, scope_id, sort
          order by sum(amount) desc, subject_id) as number
      from traffic_tops where at >= ${day} and at < ${until} and step = 'hour'
      group by tenant_id, environment, scope_id, sort, subject_id) d
    where number <= ${rankLength}`.execute(tx);
}

/** Rankings of hours and days that are dropped. */
export async function sweepTops(
  tx: Tx,
  before: { readonly hours: Date; readonly days: Date },
): Promise<void> {
  await sql`delete from traffic_tops where at < ${before.hours} and step = 'hour'
    or at < ${before.days}`.execute(tx);
  await sql`delete from traffic_rankings where hour < ${before.hours}`.execute(tx);
}

/** The tenant, or one of its applications. */
interface TopScope {
  readonly tenantId: string;
  readonly scopeId: string;
}

/**
 * Of a scope that was ranked in some of the time: those that may have the most, by what they had
 * when they were among the first. Null for one that never had many names.
 */
export async function selectCandidates(
  tx: Tx,
  { tenantId, scopeId }: TopScope,
  order: TrafficOrder,
  span: TrafficSpan,
  rolled: readonly Date[],
): Promise<readonly string[] | null> {
  const inTime = sql`tenant_id = ${tenantId} and environment = app_environment()
    and scope_id = ${scopeId} and (
      step = 'day' and at = any (${rolled}::timestamptz[])
      or step = 'hour' and at >= ${span.from} and at < ${span.to}
        and date_trunc('day', at, 'UTC') <> all (${rolled}::timestamptz[]))`;
  const { rows } = await sql<{ isRanked: boolean; ids: string[] }>`
    select exists (select from traffic_tops where ${inTime}) as "isRanked",
      array(select subject_id from traffic_tops where ${inTime} and sort = ${order}
        group by subject_id order by sum(amount) desc, subject_id
        limit ${maxCandidates}) as ids`.execute(tx);
  const [row] = rows;
  return row?.isRanked ? row.ids : null;
}
