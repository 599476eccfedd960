import { sql } from "kysely";
import type { Tx } from "../../engine/transaction.ts";
import { counterColumns, counterSums, counters } from "./read-traffic.ts";

/** Makes the partitions of the day of each time. */
export async function addPartitions(tx: Tx, times: readonly Date[]): Promise<void> {
  await sql`select add_traffic_partition(t) from unnest(${times}::timestamptz[]) t`.execute(tx);
}

export async function dropPartitions(
  tx: Tx,
  before: { readonly hours: Date; readonly days: Date },
): Promise<void> {
  await sql`select drop_traffic_partitions(${before.hours}, ${before.days})`.execute(tx);
}

/** What only says who reported what, and when it is too old to matter. */
export async function sweepReports(
  tx: Tx,
  before: { readonly batches: Date; readonly days: Date },
): Promise<void> {
  await sql`delete from traffic_batches where minute < ${before.batches}`.execute(tx);
  await sql`delete from traffic_reports where hour < ${before.days}`.execute(tx);
  await sql`delete from traffic_day_states
    where day < (${before.days}::timestamptz at time zone 'UTC')::date`.execute(tx);
  await sql`delete from traffic_processes
    where coalesce(greatest(last_minute, seen_at), started_at) < ${before.days}`.execute(tx);
}

export interface OpenDay {
  readonly day: Date;
  readonly version: string;
}

/** Days that ended before and are not added up, or have changed since. */
export async function selectOpenDays(tx: Tx, before: Date): Promise<readonly OpenDay[]> {
  const { rows } = await sql<OpenDay>`
    select day::timestamp at time zone 'UTC' as day, version::text as version
    from traffic_day_states where rolled_version is distinct from version
      and (day + 1)::timestamp at time zone 'UTC' <= ${before} order by day`.execute(tx);
  return rows;
}

/** The last subject of a piece. */
export interface RollPosition {
  readonly tenantId: string;
  readonly subjectId: string;
}

const firstPosition: RollPosition = {
  tenantId: "00000000-0000-0000-0000-000000000000",
  subjectId: "00000000-0000-0000-0000-000000000000",
};

/**
 * Whether nobody else adds up the day; until the transaction ends, nobody does. Two at once could
 * write the older of two sums last.
 */
export async function lockDay(tx: Tx, { day }: OpenDay): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`select pg_try_advisory_xact_lock(
    hashtextextended('traffic_day:' || ${day.toISOString()}, 0)) as "isLocked"`.execute(tx);
  return rows[0]?.isLocked ?? false;
}

/**
 * Adds up the hours of the next subjects, `limit` of them; null after the last. The sums take the
 * place of earlier ones, so that it can be repeated.
 */
export async function rollPiece(
  tx: Tx,
  { day }: OpenDay,
  after: RollPosition | null,
  limit: number,
): Promise<RollPosition | null> {
  const { tenantId, subjectId } = after ?? firstPosition;
  const until = new Date(day.getTime() + 86_400_000);
  const { rows } = await sql<RollPosition>`
    with recursive subjects as (
      (select tenant_id, subject_id, 1 as number from traffic_hours
        where hour >= ${day} and hour < ${until}
          and (tenant_id, subject_id) > (${tenantId}::uuid, ${subjectId}::uuid)
        order by tenant_id, subject_id limit 1)
      union all
      select n.tenant_id, n.subject_id, s.number + 1 from subjects s, lateral (
        select h.tenant_id, h.subject_id from traffic_hours h
        where h.hour >= ${day} and h.hour < ${until}
          and (h.tenant_id, h.subject_id) > (s.tenant_id, s.subject_id)
        order by h.tenant_id, h.subject_id limit 1) n
      where s.number < ${limit}
    ), written as (
      insert into traffic_days as d (tenant_id, subject_id, day, edge_id, application_id,
        environment, ${counterColumns}, origin_times)
      select h.tenant_id, h.subject_id, (${day}::timestamptz at time zone 'UTC')::date, h.edge_id,
        max(h.application_id::text)::uuid, max(h.environment), ${counterSums},
        add_times(h.origin_times)
      from subjects s join traffic_hours h
        on h.tenant_id = s.tenant_id and h.subject_id = s.subject_id
      where h.hour >= ${day} and h.hour < ${until}
      group by h.tenant_id, h.subject_id, h.edge_id
      order by 1, 2, 4
      on conflict (tenant_id, subject_id, day, edge_id) do update set
        (${counterColumns}, origin_times) = row (${excluded}, excluded.origin_times)
    )
    select tenant_id as "tenantId", subject_id as "subjectId" from subjects
    where number = ${limit}`.execute(tx);
  return rows[0] ?? null;
}

const excluded = sql.join(counters.map((name) => sql.ref(`excluded.${name}`)));

/** The day is added up as it was when it had this version. */
export async function noteRolled(tx: Tx, { day, version }: OpenDay): Promise<void> {
  await sql`update traffic_day_states set rolled_version = ${version}::bigint
    where day = (${day}::timestamptz at time zone 'UTC')::date`.execute(tx);
}

/** Some of the tenant's rows, `limit` at most; how many. A partition's rows have no common ctid. */
export async function removeTraffic(tx: Tx, tenantId: string, limit: number): Promise<number> {
  const { numAffectedRows: hours } = await sql`delete from traffic_hours
    where (tenant_id, subject_id, hour, edge_id) in (select tenant_id, subject_id, hour, edge_id
      from traffic_hours where tenant_id = ${tenantId} limit ${limit})`.execute(tx);
  if (hours) return Number(hours);
  const { numAffectedRows: days } = await sql`delete from traffic_days
    where (tenant_id, subject_id, day, edge_id) in (select tenant_id, subject_id, day, edge_id
      from traffic_days where tenant_id = ${tenantId} limit ${limit})`.execute(tx);
  if (days) return Number(days);
  const { numAffectedRows: tops } = await sql`delete from traffic_tops
    where ctid = any (array(select ctid from traffic_tops where tenant_id = ${tenantId}
      limit ${limit}))`.execute(tx);
  return Number(tops ?? 0n);
}
