import { sql } from "kysely";
import type { Application } from "../../domain/application.ts";
import type { Connection } from "../../domain/connection.ts";
import type { Database } from "../engine/pool.ts";
import type { Tx } from "../engine/transaction.ts";
import { type ConnectionRow, toConnection } from "./connections.ts";

/** The channel on which rows that have become due are announced; the payload names the table. */
export const dueChannel = "mooring_due";

/**
 * Leases up to `limit` due connections, longest overdue first. Rows another worker is claiming are
 * skipped, leased rows are not due. The version grows with the claim, so a worker that leased the row
 * before and was frozen since can no longer write it.
 */
export async function claimDueConnections(
  database: Database,
  now: Date,
  leasedUntil: Date,
  limit: number,
): Promise<Connection[]> {
  const rows = await database.prepared<ConnectionRow>(
    {
      name: "claim_due_connections",
      text: `with due as (
          select id from connections
          where due_at <= $1 and (leased_until is null or leased_until <= $1)
          order by due_at limit $3 for update skip locked)
        update connections c set leased_until = $2, version = c.version + 1, recheck_requested = false
        from due where c.id = due.id
        returning c.id, c.tenant_id, c.environment, c.application_id, c.hostname, c.registrable_domain,
          c.kind, c.setup_type, c.state, c.provider, c.batch_id, c.error_code, c.challenge,
          c.may_use_credentials, c.zone, c.desired_records, c.pending_records,
          -- Of a row that was written before observations had a limit only the rest is read.
          case when pg_column_size(c.observed_records) <= 262144 then c.observed_records
            else '[]'::jsonb end as observed_records,
          c.phase_started_at, c.checks,
          c.misses, c.first_miss_at, c.last_checked_at, c.first_live_at, c.certificate_id, c.sequence, c.version,
          c.created_at, c.archived_at`,
    },
    [now, leasedUntil, limit],
  );
  return rows.map(toConnection);
}

/** Extends the leases that are still ours. */
export async function extendLeases(
  database: Database,
  leased: ReadonlyMap<string, number>,
  leasedUntil: Date,
): Promise<void> {
  await database.pool.query(
    `update connections c set leased_until = $3
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
): Promise<void> {
  await database.pool.query(
    "update connections set leased_until = null, due_at = $3 where id = $1 and version = $2",
    [connection.id, connection.version, dueAt],
  );
}

/**
 * Due at once, or as soon as the running check has ended: a lease is never cut short. The checks
 * after it start with short intervals again, since something has just changed.
 */
export async function requestRecheck(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`update connections set
      due_at = case when leased_until is null or leased_until <= ${now} then ${now} else due_at end,
      checks = 0,
      recheck_requested = leased_until is not null and leased_until > ${now}
    where id = ${id} and due_at is not null`.execute(tx);
  await announceDue(tx, "connections");
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
        and application_id = ${application.id} and due_at is not null
      order by created_at desc limit ${limit} for update skip locked)
    update connections c set
      due_at = case when leased_until is null or leased_until <= ${now} then ${now} else due_at end,
      recheck_requested = leased_until is not null and leased_until > ${now}
    from chosen where c.id = chosen.id`.execute(tx);
  await announceDue(tx, "connections");
}

/** Wakes the workers when the transaction commits; they also poll, so a lost notification costs a second. */
export async function announceDue(tx: Tx, table: string): Promise<void> {
  await sql`select pg_notify(${dueChannel}, ${table})`.execute(tx);
}
