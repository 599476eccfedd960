import { type RawBuilder, sql } from "kysely";
import type { Application } from "../../../domain/applications/application.ts";
import type { CheckLane } from "../../../domain/connections/check-lane.ts";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { Environment } from "../../../domain/tenancy.ts";
import type { Database } from "../../engine/pool.ts";
import { announceAtCommit, type Tx } from "../../engine/transaction.ts";
import { type ConnectionRow, connectionColumns, toConnection } from "./connection-row.ts";
import { unmovedConnections } from "./connection-table.ts";

/** The channel on which rows that have become due are announced; the payload names the table. */
export const dueChannel = "mooring_due";

/** A leased connection. */
export interface DueConnection extends Connection {
  readonly lane: CheckLane;
  /**
   * What a write names: it is refused once another worker has leased the connection, or somebody
   * has written it.
   */
  readonly lease: number;
  /** How often in a row its checks failed because of it. */
  readonly failures: number;
}

/** Rows of one lane of a tenant's environment that a worker is working on. */
export interface BusyQueue {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly lane: CheckLane;
  /** Those that count against the loop's concurrency, and all of them. */
  readonly recent: number;
  readonly running: number;
}

/** How many rows one tenant, and its test environment, may have in flight in a worker. */
export interface CheckShares {
  readonly tenant: { readonly recent: number; readonly running: number };
  readonly test: { readonly recent: number; readonly running: number };
}

/** The most rows that one claim leases. */
const maxClaim = 32;

/**
 * Leases up to `limit` due connections, shared between the queues that are next: the row comes
 * first whose queue has the least in flight for its weight. Fresh connections weigh most, then live
 * ones, and the live environment twice as much as test. It reads the first rows of some queues by
 * index, and nothing of a backlog behind them. A leased row is due again when its lease ends, so it
 * is not in the way of others.
 */
const claimText = `with busy as materialized (
    select * from unnest($4::uuid[], $5::text[], $6::int[], $7::int[], $8::int[])
      as b (tenant_id, environment, lane, recent, running)),
  queues as materialized (
    select q.tenant_id, q.environment, q.lane,
      coalesce((select b.running from busy b where b.tenant_id = q.tenant_id
        and b.environment = q.environment and b.lane = q.lane), 0) as running,
      (case q.lane when 0 then 8 when 1 then 4 else 1 end)
        * (case q.environment when 'live' then 2 else 1 end)::float8 as weight,
      (select least($9 - coalesce(sum(b.recent), 0), $10 - coalesce(sum(b.running), 0),
        case when q.environment = 'test' then least(
          $11 - coalesce(sum(b.recent) filter (where b.environment = 'test'), 0),
          $12 - coalesce(sum(b.running) filter (where b.environment = 'test'), 0)) end)
       from busy b where b.tenant_id = q.tenant_id) as share
    from queues_in_turn($1) q),
  due as materialized (
    select o.id, o.tenant_id, o.due_at, (t.running + o.rank) / t.weight as position
    from queues t cross join lateral (
      select f.id, f.tenant_id, f.due_at, row_number() over (order by f.due_at) as rank from (
        -- In the order of the index alone: any other would sort the backlog.
        select k.connection_id as id, k.tenant_id, k.due_at from connection_checks k
        where k.tenant_id = t.tenant_id and k.environment = t.environment
          and k.lane = t.lane and k.due_at <= $1 and (k.leased_until is null or k.leased_until <= $1)
        order by k.due_at limit greatest(0, least($3, t.share))) f) o
    -- More than are claimed, for the claims that overlap. A number and no parameter: from it the server knows that few
    -- rows are joined below, and does not read the whole table for them.
    order by position, o.due_at limit ${2 * maxClaim}),
  chosen as (
    select k.connection_id, k.tenant_id
    from due join connection_checks k on k.connection_id = due.id and k.tenant_id = due.tenant_id
    where k.due_at <= $1 and (k.leased_until is null or k.leased_until <= $1)
    order by due.position, due.due_at limit $3 for update of k skip locked)
  update connection_checks k set leased_until = $2, due_at = $2, version = k.version + 1, recheck_requested = false
  from chosen where k.connection_id = chosen.connection_id and k.tenant_id = chosen.tenant_id
  returning k.connection_id as id, k.lane, k.version as lease, k.failures, k.last_checked_at as checked_at,
    k.observed_at`;

type Leased = Pick<DueConnection, "id" | "lane" | "lease" | "failures"> &
  Pick<ConnectionRow, "checked_at" | "observed_at">;

/** A worker of the release before leased the connection itself, and can write it no more. */
const takeOverText = `update only connections set leased_until = null, version = version + 1
  where id = any ($1) and leased_until is not null`;

/** Of a row that was written before observations had a limit only the rest is read. */
const readColumn = (column: (typeof connectionColumns)[number]): string =>
  column === "observed_records"
    ? `case when pg_column_size(c.observed_records) <= 262144 then c.observed_records
      else '[]'::jsonb end as observed_records`
    : `c.${column}`;

/** After the lease: who writes the connection from then on ends the lease. */
const leasedText = `select ${connectionColumns.map(readColumn).join(", ")}
  from only connections c where c.id = any ($1) and c.state <> 'archived'`;

/**
 * Rows another worker is claiming are skipped. The lease's version grows with the claim, so a
 * worker that leased the row before and was frozen since can no longer write it.
 */
export async function claimDueConnections(
  database: Database,
  now: Date,
  leasedUntil: Date,
  limit: number,
  work: { readonly busy: readonly BusyQueue[]; readonly shares: CheckShares },
): Promise<DueConnection[]> {
  const { busy, shares } = work;
  const leased = await database.prepared<Leased>(
    { name: "claim_due_connections", text: claimText },
    [
      now,
      leasedUntil,
      limit,
      busy.map((queue) => queue.tenantId),
      busy.map((queue) => queue.environment),
      busy.map((queue) => queue.lane),
      busy.map((queue) => queue.recent),
      busy.map((queue) => queue.running),
      shares.tenant.recent,
      shares.tenant.running,
      shares.test.recent,
      shares.test.running,
    ],
  );
  const claimed = leased.length === 0 ? [] : await readLeased(database, leased);
  await settleQueues(database, now, claimed);
  return claimed;
}

async function readLeased(database: Database, leased: readonly Leased[]): Promise<DueConnection[]> {
  const ids = leased.map(({ id }) => id);
  await database.prepared({ name: "take_over_leases", text: takeOverText }, [ids]);
  const rows = await database.prepared<ConnectionRow>(
    { name: "read_leased_connections", text: leasedText },
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return leased.flatMap(({ id, lane, lease, failures, ...seen }) => {
    const row = byId.get(id);
    return row ? [{ ...toConnection({ ...row, ...seen }), lane, lease, failures }] : [];
  });
}

/**
 * The queues that were served go to the end of the line, and empty ones wait for their next due
 * row.
 */
async function settleQueues(
  database: Database,
  now: Date,
  claimed: readonly DueConnection[],
): Promise<void> {
  const served = new Map(
    claimed.map(({ tenantId, environment, lane }) => [
      `${tenantId} ${environment} ${lane}`,
      { tenantId, environment, lane },
    ]),
  );
  const queues = [...served.values()];
  await database.prepared({ name: "settle_queues", text: "select settle_queues($1, $2, $3, $4)" }, [
    now,
    queues.map(({ tenantId }) => tenantId),
    queues.map(({ environment }) => environment),
    queues.map(({ lane }) => lane),
  ]);
}

/** When the connection is checked next; null when it is not, or when it is not visible. */
export async function selectDueAt(tx: Tx, id: string): Promise<Date | null> {
  const row = await tx
    .selectFrom("connection_checks")
    .select("due_at")
    .where("connection_id", "=", id)
    .executeTakeFirst();
  return row?.due_at ?? null;
}

const extendText = `update connection_checks k set leased_until = $3,
    due_at = case when k.due_at is null then null else $3::timestamptz end
  from unnest($1::uuid[], $2::bigint[]) as h (id, version)
  where k.connection_id = h.id and k.version = h.version and k.leased_until is not null`;

/** Extends the leases that are still ours. */
export async function extendLeases(
  database: Database,
  leased: ReadonlyMap<string, number>,
  leasedUntil: Date,
): Promise<void> {
  await database.prepared({ name: "extend_connection_leases", text: extendText }, [
    [...leased.keys()],
    [...leased.values()],
    leasedUntil,
  ]);
}

const releaseText = `update connection_checks set leased_until = null, failures = $5,
    due_at = case when due_at is null then null else $4::timestamptz end
  where connection_id = $1 and tenant_id = $2 and version = $3`;

/**
 * Releases a lease after a failed check: due again at `dueAt`, unless the row was written since.
 */
export async function releaseConnection(
  database: Database,
  { id, tenantId, lease }: Pick<DueConnection, "id" | "tenantId" | "lease">,
  dueAt: Date,
  failures: number,
): Promise<void> {
  const values = [id, tenantId, lease, dueAt, failures];
  await database.prepared({ name: "release_connection", text: releaseText }, values);
}

const putOffText = `update connection_checks set leased_until = null, recheck_requested = false,
    due_at = case when due_at is null then null when recheck_requested then $5 else $4::timestamptz end
  where connection_id = $1 and tenant_id = $2 and version = $3`;

/**
 * Releases a lease without a check: due at `dueAt`, or at once when a check was asked for
 * meanwhile.
 */
export async function putOffConnection(
  database: Database,
  { id, tenantId, lease }: Pick<DueConnection, "id" | "tenantId" | "lease">,
  { now, dueAt }: { readonly now: Date; readonly dueAt: Date },
): Promise<void> {
  const values = [id, tenantId, lease, dueAt, now];
  await database.prepared({ name: "put_off_connection", text: putOffText }, values);
}

/** What a check that changes nothing leaves behind. */
export interface UnchangedCheck {
  readonly now: Date;
  readonly dueAt: Date;
  /** The records were seen, as the connection has them. */
  readonly hasObserved: boolean;
}

/**
 * Ends a check that changes nothing of the connection: only the narrow row is written. False when
 * somebody has leased or written the connection since; nothing is written then.
 */
export async function endUnchangedCheck(
  tx: Tx,
  { id, tenantId, version }: Pick<Connection, "id" | "tenantId" | "version">,
  lease: number | null,
  { now, dueAt, hasObserved }: UnchangedCheck,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update connection_checks k set
      due_at = case when k.recheck_requested then ${now}::timestamptz else ${dueAt}::timestamptz end,
      leased_until = null, version = k.version + 1, recheck_requested = false, failures = 0,
      last_checked_at = ${now},
      observed_at = case when ${hasObserved}::boolean then ${now}::timestamptz else k.observed_at end
    from only connections c
    where k.connection_id = ${id} and k.tenant_id = ${tenantId} and k.due_at is not null
      and (${lease}::bigint is null or k.version = ${lease}::bigint)
      and c.id = ${id} and c.version = ${version}`.execute(tx);
  return numAffectedRows === 1n;
}

/** Due at `now`, or as soon as the running check has ended: a lease is never cut short. */
const dueAtOnce = (now: Date) => sql`
  due_at = case when k.leased_until is null or k.leased_until <= ${now} then ${now} else k.due_at end,
  recheck_requested = k.leased_until is not null and k.leased_until > ${now}`;

/**
 * Due at once, or as soon as the running check has ended: a lease is never cut short. The checks
 * after it start with short intervals again, since something has just changed. Wakes a parked row.
 */
export async function requestRecheck(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable(unmovedConnections)
    .set({ due_at: now, checks: 0 })
    .where("id", "=", id)
    .where("due_at", "is", null)
    .where("parked_at", "is not", null)
    .execute();
  // A live connection has one interval whatever the number of its checks is.
  await tx
    .updateTable(unmovedConnections)
    .set({ checks: 0 })
    .where("id", "=", id)
    .where("due_at", "is not", null)
    .where("checks", "<>", 0)
    .where("state", "<>", "live")
    .execute();
  await sql`update connection_checks k set lane = check_lane(c.state, c.checks), ${dueAtOnce(now)}
    from only connections c
    where c.id = ${id} and k.connection_id = c.id and k.tenant_id = c.tenant_id and k.due_at is not null`.execute(
    tx,
  );
  announceDue(tx, "connections");
}

/** The same for the newest connections of an application, at most `limit`. */
export async function requestRechecks(
  tx: Tx,
  application: Pick<Application, "id" | "tenantId" | "environment">,
  now: Date,
  limit: number,
): Promise<void> {
  const { tenantId, environment, id } = application;
  const newest = (condition: RawBuilder<unknown>) => sql`select id from only connections
    where tenant_id = ${tenantId} and environment = ${environment} and application_id = ${id} and ${condition}
    order by created_at desc limit ${limit}`;
  await sql`update only connections set due_at = ${now}
    where id in (${newest(sql`due_at is null and parked_at is not null`)})`.execute(tx);
  await sql`with chosen as (
      select k.connection_id from connection_checks k where k.tenant_id = ${tenantId} and k.due_at is not null
        and k.connection_id = any (array(${newest(sql`due_at is not null`)})) for update skip locked)
    update connection_checks k set ${dueAtOnce(now)}
    from chosen where k.connection_id = chosen.connection_id and k.tenant_id = ${tenantId}`.execute(
    tx,
  );
  announceDue(tx, "connections");
}

/** A check that is running cannot write any more: it is repeated at once. */
export async function repeatRunningCheck(
  tx: Tx,
  { id, tenantId }: Pick<Connection, "id" | "tenantId">,
  now: Date,
): Promise<void> {
  await sql`update connection_checks k set version = k.version + 1, leased_until = null,
      due_at = case when k.leased_until > ${now} and k.due_at is not null then ${now} else k.due_at end
    where k.connection_id = ${id} and k.tenant_id = ${tenantId}`.execute(tx);
  announceDue(tx, "connections");
}

/** Wakes the workers after the commit; they also poll, so a lost notification costs a second. */
export function announceDue(tx: Tx, table: string): void {
  announceAtCommit(tx, dueChannel, table);
}
