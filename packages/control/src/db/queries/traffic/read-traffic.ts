import { type RawBuilder, sql } from "kysely";
import {
  type Coverage,
  type TrafficNumbers,
  unpackTimes,
} from "../../../domain/traffic/traffic.ts";
import type { Tx } from "../../engine/transaction.ts";

/** From the first moment up to the second, whole hours. */
export interface TrafficSpan {
  readonly from: Date;
  readonly to: Date;
}

/** The numbers of a subject at one edge, in an hour or a day. */
export interface TrafficRow extends TrafficNumbers {
  readonly at: Date;
  readonly edge: string;
  /** Of an application: requests that were not counted for their connection. */
  readonly unattributed: number;
}

interface StoredNumbers {
  readonly aborted: string;
  readonly status_1xx: string;
  readonly status_2xx: string;
  readonly status_3xx: string;
  readonly status_4xx: string;
  readonly status_5xx: string;
  readonly bytes_in: string;
  readonly bytes_out: string;
  readonly handshakes: string;
  readonly refused: string;
  readonly unattributed: string;
  readonly origin_times: readonly string[];
}

/** The counters of a row, as their columns are named. */
export const counters = [
  "aborted",
  "status_1xx",
  "status_2xx",
  "status_3xx",
  "status_4xx",
  "status_5xx",
  "bytes_in",
  "bytes_out",
  "handshakes",
  "refused",
  "unattributed",
] as const;

export const counterColumns = sql.join(counters.map((name) => sql.ref(name)));

/** Each counter of some rows, added up. */
export const counterSums = sql.join(
  counters.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`),
);

function toNumbers(row: StoredNumbers): TrafficNumbers & { readonly unattributed: number } {
  return {
    aborted: Number(row.aborted),
    status1xx: Number(row.status_1xx),
    status2xx: Number(row.status_2xx),
    status3xx: Number(row.status_3xx),
    status4xx: Number(row.status_4xx),
    status5xx: Number(row.status_5xx),
    bytesIn: Number(row.bytes_in),
    bytesOut: Number(row.bytes_out),
    handshakes: Number(row.handshakes),
    refused: Number(row.refused),
    unattributed: Number(row.unattributed),
    originTimes: unpackTimes(row.origin_times),
  };
}

/** Requests, failed ones among them, or bytes: by what a list is ordered. */
export const trafficOrders = ["requests", "errors", "bytes"] as const;
export type TrafficOrder = (typeof trafficOrders)[number];

/** By what each order compares. */
export const amounts: Readonly<Record<TrafficOrder, RawBuilder<unknown>>> = {
  requests: sql`aborted + status_1xx + status_2xx + status_3xx + status_4xx + status_5xx`,
  errors: sql`status_5xx`,
  bytes: sql`bytes_in + bytes_out`,
};

/** The days of the span, whole in it, that were added up since their hours last changed. */
export async function selectRolledDays(tx: Tx, { from, to }: TrafficSpan): Promise<Date[]> {
  const { rows } = await sql<{ at: Date }>`select day::timestamp at time zone 'UTC' as at
    from traffic_day_states where rolled_version = version
      and day::timestamp at time zone 'UTC' >= ${from}
      and (day + 1)::timestamp at time zone 'UTC' <= ${to}`.execute(tx);
  return rows.map(({ at }) => at);
}

/**
 * The rows of some time: of rolled days those of the day, of the rest those of the hours. `at` is
 * when the day or the hour began.
 */
function rowsOf(span: TrafficSpan, rolled: readonly Date[]): RawBuilder<unknown> {
  return sql`(select tenant_id, environment, subject_id, application_id, edge_id,
      day::timestamp at time zone 'UTC' as at, ${counterColumns}, origin_times
    from traffic_days where day = any (array(select (d at time zone 'UTC')::date
      from unnest(${rolled}::timestamptz[]) d))
    union all
    select tenant_id, environment, subject_id, application_id, edge_id, hour, ${counterColumns},
      origin_times
    from traffic_hours where hour >= ${span.from} and hour < ${span.to}
      and date_trunc('day', hour, 'UTC') <> all (${rolled}::timestamptz[]))`;
}

/** What the subjects have, by hour and edge, by day where the day is named. */
export async function selectTraffic(
  tx: Tx,
  { tenantId, subjects }: { readonly tenantId: string; readonly subjects: readonly string[] },
  span: TrafficSpan,
  rolled: readonly Date[],
): Promise<readonly (TrafficRow & { readonly subjectId: string })[]> {
  const { rows } = await sql<StoredNumbers & { at: Date; edge: string; subjectId: string }>`
    select t.subject_id as "subjectId", t.at, e.name as edge, ${counterColumns}, t.origin_times
    from ${rowsOf(span, rolled)} t join traffic_edges e on e.id = t.edge_id
    where t.tenant_id = ${tenantId} and t.subject_id = any (${subjects}::uuid[])
    order by t.at`.execute(tx);
  return rows.map((row) => ({
    ...toNumbers(row),
    at: row.at,
    edge: row.edge,
    subjectId: row.subjectId,
  }));
}

/** All of an environment, by hour or rolled day. */
export async function selectTotals(
  tx: Tx,
  { tenantId, applicationId }: { readonly tenantId: string; readonly applicationId: string | null },
  span: TrafficSpan,
  rolled: readonly Date[],
): Promise<readonly (Omit<TrafficRow, "edge"> & { readonly at: Date })[]> {
  const { rows } = await sql<StoredNumbers & { at: Date }>`
    select t.at, ${counterSums}, add_times(t.origin_times) as origin_times
    from ${rowsOf(span, rolled)} t
    where t.tenant_id = ${tenantId}
      and t.subject_id = any (array(select a.id from applications a where a.tenant_id = ${tenantId}
        and (${applicationId}::uuid is null or a.id = ${applicationId}::uuid)))
    group by t.at order by t.at`.execute(tx);
  return rows.map((row) => ({ ...toNumbers(row), at: row.at }));
}

/** A connection or an application, with its numbers. */
export interface TrafficGroup extends TrafficNumbers {
  readonly subjectId: string;
  readonly applicationId: string;
  /** The hostname, or the application's name; null where it is gone. */
  readonly name: string | null;
  readonly unattributed: number;
}

/**
 * Those with the most. First they are ranked, which needs no times; then they are read. With
 * candidates, only those are compared; `isMany` says that the tenant has too many names to read.
 */
export async function selectTop(
  tx: Tx,
  which: {
    readonly tenantId: string;
    readonly applicationId: string | null;
    readonly groupBy: "connection" | "application";
    readonly order: TrafficOrder;
    readonly limit: number;
    readonly candidates: readonly string[] | null;
    readonly isMany: boolean;
  },
  span: TrafficSpan,
  rolled: readonly Date[],
): Promise<readonly TrafficGroup[]> {
  const { tenantId, applicationId, groupBy, order, limit } = which;
  const isGroup =
    groupBy === "application"
      ? sql`t.subject_id = t.application_id and t.subject_id = any (array(
          select a.id from applications a where a.tenant_id = ${tenantId}))`
      : isConnection(which);
  const name =
    groupBy === "application"
      ? sql`(select a.name from applications a where a.id = g.subject_id)`
      : sql`(select c.hostname from connections c where c.id = g.subject_id)`;
  const { rows } = await sql<
    StoredNumbers & { subjectId: string; applicationId: string; name: string | null }
  >`
    with top as (select t.subject_id, sum(${amounts[order]}) as amount
      from ${rowsOf(span, rolled)} t
      where t.tenant_id = ${tenantId} and ${isGroup}
        and (${applicationId}::uuid is null or t.application_id = ${applicationId}::uuid)
      group by t.subject_id having sum(${amounts[order]}) > 0
      order by amount desc, t.subject_id limit ${limit})
    select g.subject_id as "subjectId", g.application_id as "applicationId", ${name} as name,
      ${counterColumns}, g.origin_times
    from (select t.subject_id, max(t.application_id::text)::uuid as application_id, ${counterSums},
        add_times(t.origin_times) as origin_times
      from ${rowsOf(span, rolled)} t
      where t.tenant_id = ${tenantId} and t.subject_id = any (array(select subject_id from top))
      group by t.subject_id) g
    join top on top.subject_id = g.subject_id
    order by top.amount desc, g.subject_id`.execute(tx);
  return rows.map((row) => ({
    ...toNumbers(row),
    subjectId: row.subjectId,
    applicationId: row.applicationId,
    name: row.name,
  }));
}

/** An application with few names beside many others is read by the ids of its connections. */
function isConnection({
  candidates,
  isMany,
  applicationId,
}: {
  readonly candidates: readonly string[] | null;
  readonly isMany: boolean;
  readonly applicationId: string | null;
}): RawBuilder<unknown> {
  if (candidates !== null) return sql`t.subject_id = any (${candidates}::uuid[])`;
  if (!isMany || applicationId === null) return sql`t.subject_id <> t.application_id`;
  return sql`t.subject_id = any (array(
    select c.id from connections c where c.application_id = ${applicationId}))`;
}

/** Of each hour in which an edge ran. */
export async function selectCoverage(
  tx: Tx,
  { from, to }: TrafficSpan,
): Promise<ReadonlyMap<number, Coverage>> {
  const { rows } = await sql<{ hour: Date; expected: number; reported: number; others: string }>`
    select hour, expected, reported, others from traffic_coverage(${from}, ${to})`.execute(tx);
  return new Map(
    rows.map(({ hour, expected, reported, others }) => [
      hour.getTime(),
      { expected, reported, others: Number(others) },
    ]),
  );
}

export async function selectFirstVisit(tx: Tx, connectionId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    select at from first_visits where connection_id = ${connectionId}`.execute(tx);
  return rows[0]?.at ?? null;
}
