import { sql } from "kysely";
import type { TransparencyLog } from "../../../domain/transparency/log-list.ts";
import { type Frontier, hashBytes, type TreeRoot } from "../../../domain/transparency/merkle.ts";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";

export type StopReason = "bad_signature" | "fork" | "wrong_entries";

/** How far a log is read; its row under a lease. */
export interface LogProgress {
  readonly id: string;
  readonly version: number;
  readonly failures: number;
  /** The newest head that was accepted; null before the first. */
  readonly head: TreeRoot | null;
  /** The tree of the entries that were read. */
  readonly frontier: Frontier;
}

interface Row {
  readonly id: string;
  readonly version: string;
  readonly failures: number;
  readonly tree_size: string | null;
  readonly root_hash: Buffer | null;
  readonly position: string;
  readonly frontier: Buffer;
}

function toProgress(row: Row): LogProgress {
  const { root_hash: root, tree_size: size, frontier } = row;
  const count = Math.floor(frontier.length / hashBytes);
  const hashes = Array.from({ length: count }, (_, at) =>
    frontier.subarray(at * hashBytes, (at + 1) * hashBytes),
  );
  return {
    id: row.id,
    version: Number(row.version),
    failures: row.failures,
    head: root !== null && size !== null ? { size: Number(size), root } : null,
    frontier: { size: Number(row.position), hashes },
  };
}

/** Creates the rows of new logs, due at once, and marks all of them as listed now. */
export async function listLogs(tx: Tx, logs: readonly TransparencyLog[], now: Date): Promise<void> {
  for (const { id, description, url } of logs) {
    await sql`insert into transparency_logs (id, description, url, listed_at, due_at, created_at)
      values (${id}, ${description}, ${url}, ${now}, ${now}, ${now})
      on conflict (id) do update set description = excluded.description, url = excluded.url,
        listed_at = excluded.listed_at`.execute(tx);
  }
}

/** Forgets logs that no worker has listed since; one that is listed again begins at its head. */
export async function forgetLogs(tx: Tx, before: Date): Promise<void> {
  await sql`delete from transparency_logs where listed_at < ${before}`.execute(tx);
}

const claimText = `
  with due as (
    select id from transparency_logs
    where id = any ($4::text[]) and due_at <= $1 and stopped_at is null
      and (leased_until is null or leased_until <= $1)
    order by due_at limit $3 for update skip locked
  )
  update transparency_logs l set leased_until = $2, version = l.version + 1
  where l.id = any (array(select id from due))
  returning l.id, l.version, l.failures, l.tree_size, l.root_hash, l.position, l.frontier`;

export async function claimLogs(
  database: Database,
  ids: readonly string[],
  lease: { readonly now: Date; readonly leasedUntil: Date; readonly limit: number },
): Promise<LogProgress[]> {
  const statement = { name: "claim_transparency_logs", text: claimText };
  const values = [lease.now, lease.leasedUntil, lease.limit, ids];
  return (await database.prepared<Row>(statement, values)).map(toProgress);
}

const extendText = `update transparency_logs l set leased_until = $3
  from unnest($1::text[], $2::bigint[]) as h (id, version)
  where l.id = h.id and l.version = h.version and l.leased_until is not null`;

export async function extendLogs(
  database: Database,
  leased: ReadonlyMap<string, number>,
  leasedUntil: Date,
): Promise<void> {
  const values = [[...leased.keys()], [...leased.values()], leasedUntil];
  await database.prepared({ name: "extend_transparency_logs", text: extendText }, values);
}

/** Gives the lease back after a failure, whose words are shown to operators. */
export async function releaseLog(
  tx: Tx,
  { id, version, failures }: Pick<LogProgress, "id" | "version" | "failures">,
  failure: { readonly error: string | null; readonly dueAt: Date },
): Promise<void> {
  await sql`update transparency_logs set leased_until = null, due_at = ${failure.dueAt},
      failures = ${failures}, last_error = ${failure.error}
    where id = ${id} and version = ${version}`.execute(tx);
}

/** Whether the row is still leased under this version; locks it for the transaction. */
export async function holdsLog(tx: Tx, { id, version }: LogProgress): Promise<boolean> {
  const { rows } = await sql`select from transparency_logs
    where id = ${id} and version = ${version} for update`.execute(tx);
  return rows.length > 0;
}

export interface LogRead {
  readonly head: TreeRoot;
  readonly frontier: Frontier;
  /** When the log accepted the last entry that was read; null when none was. */
  readonly readUntil: Date | null;
  readonly entries: number;
  readonly unreadable: number;
}

/** The caller holds the row's lock. */
export async function storeRead(tx: Tx, id: string, read: LogRead, now: Date): Promise<void> {
  const { head, frontier } = read;
  await sql`update transparency_logs set tree_size = ${head.size}, root_hash = ${head.root},
      position = ${frontier.size}, frontier = ${Buffer.concat(frontier.hashes)}, checked_at = ${now},
      read_until = coalesce(${read.readUntil}, read_until), last_error = null, failures = 0,
      entries_read = entries_read + ${read.entries},
      entries_unreadable = entries_unreadable + ${read.unreadable}
    where id = ${id}`.execute(tx);
}

/** Ends the lease; the log is read no more until an operator resumes it. */
export async function stopLog(
  tx: Tx,
  { id, version }: LogProgress,
  reason: StopReason,
  now: Date,
): Promise<void> {
  await sql`update transparency_logs set stopped_at = ${now}, stop_reason = ${reason},
      leased_until = null, due_at = null where id = ${id} and version = ${version}`.execute(tx);
}

/** It begins again at its present head; false where no such log is stopped. */
export async function resumeLog(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`update transparency_logs set stopped_at = null,
      stop_reason = null, tree_size = null, root_hash = null, position = 0, frontier = '',
      due_at = ${now}, version = version + 1
    where id = ${id} and stopped_at is not null`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** How a log is doing, for metrics and operators. */
export interface LogHealth {
  readonly id: string;
  readonly description: string;
  readonly behindSeconds: number;
  readonly entriesRead: number;
  readonly entriesUnreadable: number;
  readonly stopReason: StopReason | null;
  readonly lastError: string | null;
}

/**
 * Of the logs that a worker has listed within a day. Behind is the time since the head was last
 * seen, or since the last entry that was read where there are more.
 */
export async function selectLogHealth(tx: Tx, now: Date): Promise<readonly LogHealth[]> {
  const { rows } = await sql<LogHealth>`
    select id, description, stop_reason as "stopReason", last_error as "lastError",
      entries_read::float8 as "entriesRead", entries_unreadable::float8 as "entriesUnreadable",
      greatest(0, extract(epoch from ${now}::timestamptz - case
        when checked_at is null then created_at
        when position >= tree_size then checked_at
        else least(checked_at, read_until) end))::float8 as "behindSeconds"
    from transparency_logs where listed_at > ${now}::timestamptz - interval '1 day'
    order by description, id`.execute(tx);
  return rows;
}
