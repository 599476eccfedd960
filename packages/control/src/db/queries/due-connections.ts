import { sql } from "kysely";
import type { Application } from "../../domain/application.ts";
import { type CheckLane, checkLane } from "../../domain/check-lane.ts";
import type { Connection } from "../../domain/connection.ts";
import type { Environment } from "../../domain/tenancy.ts";
import type { Database } from "../engine/pool.ts";
import { announceAtCommit, type Tx } from "../engine/transaction.ts";
import { type ConnectionRow, toConnection } from "./connections.ts";

/** The channel on which rows that have become due are announced; the payload names the table. */
export const dueChannel = "mooring_due";

/** A leased connection, and how often in a row its checks failed because of it. */
export interface DueConnection extends Connection {
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

/**
 * Leases up to `limit` due connections, shared between the queues whose turn it is: the row comes first
 * whose queue has the least in flight for its weight. Fresh connections weigh most, then live ones, and the
 * live environment twice as much as test. It reads the first rows of some queues by index, and nothing of
 * a backlog behind them. A leased row is due again when its lease ends, so it is not in the way of others.
 */
const claimText = `with busy as materialized (
    select * from unnest($4::uuid[], $5::text[], $6::int[], $7::int[], $8::int[])
      as b (tenant_id, environment, lane, recent, running)),
  in_turn as materialized (
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
    select o.id, o.due_at, (t.running + o.place) / t.weight as position from in_turn t cross join lateral (
      select f.id, f.due_at, row_number() over (order by f.due_at) as place from (
        -- In the order of the index alone: any other would sort the backlog.
        select c.id, c.due_at from connections c
        where c.tenant_id = t.tenant_id and c.environment = t.environment
          and check_lane(c.state, c.checks) = t.lane and c.due_at <= $1
          and (c.leased_until is null or c.leased_until <= $1)
        order by c.due_at limit greatest(0, least($3, t.share))) f) o
    -- More than are wanted, for the claims that overlap.
    order by position, o.due_at limit 2 * $3),
  chosen as (
    select c.id from due join connections c on c.id = due.id
    where c.due_at <= $1 and (c.leased_until is null or c.leased_until <= $1)
    order by due.position, due.due_at limit $3 for update of c skip locked)
  update connections c set leased_until = $2, due_at = $2, version = c.version + 1, recheck_requested = false
  from chosen where c.id = chosen.id
  returning c.id, c.tenant_id, c.environment, c.application_id, c.hostname, c.registrable_domain,
    c.kind, c.setup_type, c.state, c.provider, c.batch_id, c.error_code, c.challenge,
    c.may_use_credentials, c.zone, c.desired_records, c.pending_records,
    -- Of a row that was written before observations had a limit only the rest is read.
    case when pg_column_size(c.observed_records) <= 262144 then c.observed_records
      else '[]'::jsonb end as observed_records,
    c.phase_started_at, c.checks,
    c.misses, c.first_miss_at, c.contest_since, c.contest_deadline, c.redirect_to, c.origin_url,
    c.origin_host_header, c.customer_ref, c.validation_label, c.validation_status, c.cutover,
    c.last_checked_at, c.first_live_at, c.certificate_id, c.sequence, c.version, c.created_at, c.archived_at,
    c.failures`;

/**
 * Rows another worker is claiming are skipped. The version grows with the claim, so a worker that leased
 * the row before and was frozen since can no longer write it.
 */
export async function claimDueConnections(
  database: Database,
  now: Date,
  leasedUntil: Date,
  limit: number,
  work: { readonly busy: readonly BusyQueue[]; readonly shares: CheckShares },
): Promise<DueConnection[]> {
  const { busy, shares } = work;
  const rows = await database.prepared<ConnectionRow & Pick<DueConnection, "failures">>(
    { name: "claim_due_connections", text: claimText },
    [
      ...[now, leasedUntil, limit],
      ...[busy.map((queue) => queue.tenantId), busy.map((queue) => queue.environment)],
      busy.map((queue) => queue.lane),
      ...[busy.map((queue) => queue.recent), busy.map((queue) => queue.running)],
      ...[shares.tenant.recent, shares.tenant.running, shares.test.recent, shares.test.running],
    ],
  );
  const claimed = rows.map((row) => ({ ...toConnection(row), failures: row.failures }));
  await settleQueues(database, now, claimed);
  return claimed;
}

/** The queues that were served go to the end of the line, and empty ones wait for their next due row. */
async function settleQueues(
  database: Database,
  now: Date,
  claimed: readonly Connection[],
): Promise<void> {
  const served = new Map(
    claimed.map(({ tenantId, environment, state, checks }) => {
      const lane = checkLane(state, checks);
      return [`${tenantId} ${environment} ${lane}`, { tenantId, environment, lane }];
    }),
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
    .selectFrom("connections")
    .select("due_at")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.due_at ?? null;
}

/** Extends the leases that are still ours. */
export async function extendLeases(
  database: Database,
  leased: ReadonlyMap<string, number>,
  leasedUntil: Date,
): Promise<void> {
  await database.pool.query(
    `update connections c set leased_until = $3, due_at = case when c.due_at is null then null else $3::timestamptz end
     from unnest($1::uuid[], $2::bigint[]) as h (id, version)
     where c.id = h.id and c.version = h.version and c.leased_until is not null`,
    [[...leased.keys()], [...leased.values()], leasedUntil],
  );
}

/** Releases a lease after a failed check: due again at `dueAt`, unless the row was written since. */
export async function releaseConnection(
  database: Database,
  connection: Connection,
  dueAt: Date,
  failures: number,
): Promise<void> {
  await database.pool.query(
    `update connections set leased_until = null, failures = $4,
       due_at = case when due_at is null then null else $3::timestamptz end
     where id = $1 and version = $2`,
    [connection.id, connection.version, dueAt, failures],
  );
}

/**
 * Due at once, or as soon as the running check has ended: a lease is never cut short. The checks
 * after it start with short intervals again, since something has just changed. Wakes a parked row.
 */
export async function requestRecheck(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`update connections set
      due_at = case when leased_until is null or leased_until <= ${now} then ${now} else due_at end,
      checks = 0,
      recheck_requested = leased_until is not null and leased_until > ${now}
    where id = ${id} and (due_at is not null or parked_at is not null)`.execute(tx);
  announceDue(tx, "connections");
}

/** The same for the newest connections of an application, at most `limit`. */
export async function requestRechecks(
  tx: Tx,
  application: Pick<Application, "id" | "tenantId" | "environment">,
  now: Date,
  limit: number,
): Promise<void> {
  await sql`with chosen as (
      select id from connections
      where tenant_id = ${application.tenantId} and environment = ${application.environment}
        and application_id = ${application.id} and (due_at is not null or parked_at is not null)
      order by created_at desc limit ${limit} for update skip locked)
    update connections c set
      due_at = case when leased_until is null or leased_until <= ${now} then ${now} else due_at end,
      recheck_requested = leased_until is not null and leased_until > ${now}
    from chosen where c.id = chosen.id`.execute(tx);
  announceDue(tx, "connections");
}

/** Wakes the workers after the commit; they also poll, so a lost notification costs a second. */
export function announceDue(tx: Tx, table: string): void {
  announceAtCommit(tx, dueChannel, table);
}
