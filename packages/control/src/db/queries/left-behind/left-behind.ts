import { sql } from "kysely";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { LeftBehind, Watch } from "../../../domain/connections/left-behind.ts";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { ListFilter } from "../connections/list-filter.ts";
import type { PageRequest } from "../page.ts";

/** A leased row. */
export interface DueLeftBehind extends LeftBehind {
  readonly version: number;
}

/** Begins to watch the name of a connection that is archived; a repeat changes nothing. */
export async function insertLeftBehind(
  tx: Tx,
  connection: Connection,
  times: { readonly archivedAt: Date; readonly dueAt: Date },
): Promise<void> {
  await tx
    .insertInto("left_behind")
    .values({
      connection_id: connection.id,
      tenant_id: connection.tenantId,
      environment: connection.environment,
      hostname: connection.hostname,
      archived_at: times.archivedAt,
      due_at: times.dueAt,
    })
    .onConflict((conflict) => conflict.column("connection_id").doNothing())
    .execute();
}

/** An archived connection, in the order of the archive. */
export interface ArchivePosition {
  readonly archivedAt: Date;
  readonly id: string;
}

/**
 * Begins to watch those of the next `limit` archived connections that are not watched, such as by
 * an earlier release: the first lookup is due within a day. Connections that have moved are among
 * them. Returns the last one, null after the end.
 */
export async function fillLeftBehind(
  tx: Tx,
  after: ArchivePosition,
  now: Date,
  limit: number,
): Promise<ArchivePosition | null> {
  const { rows } = await sql<ArchivePosition>`
    with piece as materialized (
      select c.id, c.tenant_id, c.environment, c.hostname, c.archived_at,
        row_number() over (order by c.archived_at, c.id) as number
      from connections c
      where c.state = 'archived' and c.archived_at >= ${after.archivedAt}
        and (c.archived_at, c.id) > (${after.archivedAt}::timestamptz, ${after.id}::uuid)
      order by c.archived_at, c.id limit ${limit}
    ), filled as (
      insert into left_behind (connection_id, tenant_id, environment, hostname, archived_at, due_at)
      select p.id, p.tenant_id, p.environment, p.hostname, p.archived_at,
        ${now}::timestamptz + random() * interval '1 day'
      from piece p where not exists (select from left_behind l where l.connection_id = p.id)
      on conflict (connection_id) do nothing
    )
    select archived_at as "archivedAt", id from piece where number = ${limit}`.execute(tx);
  return rows[0] ?? null;
}

const columns = `l.connection_id as "connectionId", l.tenant_id as "tenantId", l.hostname,
  l.archived_at as "archivedAt", l.seen, l.agreeing, l.dangling_since as "danglingSince",
  l.reported_at as "reportedAt", l.version::int as version`;

const claimText = `update left_behind l set leased_until = $2, due_at = $2, version = l.version + 1
  from (select connection_id from left_behind
    where due_at <= $1 and (leased_until is null or leased_until <= $1)
    order by due_at limit $3 for update skip locked) as due
  where l.connection_id = due.connection_id returning ${columns}`;

export function claimDueLeftBehind(
  database: Database,
  now: Date,
  until: Date,
  limit: number,
): Promise<readonly DueLeftBehind[]> {
  return database.prepared<DueLeftBehind>({ name: "claim_due_left_behind", text: claimText }, [
    now,
    until,
    limit,
  ]);
}

const extendText = `update left_behind l set leased_until = $3, due_at = $3
  from unnest($1::uuid[], $2::bigint[]) as h (id, version)
  where l.connection_id = h.id and l.version = h.version and l.leased_until is not null`;

export async function extendLeftBehind(
  database: Database,
  leased: ReadonlyMap<string, number>,
  until: Date,
): Promise<void> {
  await database.prepared({ name: "extend_left_behind", text: extendText }, [
    [...leased.keys()],
    [...leased.values()],
    until,
  ]);
}

const releaseText = `update left_behind set leased_until = null, due_at = $3
  where connection_id = $1 and version = $2`;

export async function releaseLeftBehind(
  database: Database,
  { connectionId, version }: DueLeftBehind,
  dueAt: Date,
): Promise<void> {
  const values = [connectionId, version, dueAt];
  await database.prepared({ name: "release_left_behind", text: releaseText }, values);
}

/** Compare-and-set on the version; false when another worker has leased the row since. */
export async function storeLeftBehind(
  tx: Tx,
  { connectionId, version }: DueLeftBehind,
  { watch, dueAt }: { readonly watch: Watch; readonly dueAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("left_behind")
    .set((eb) => ({
      seen: watch.seen,
      agreeing: watch.agreeing,
      dangling_since: watch.danglingSince,
      reported_at: watch.reportedAt,
      due_at: dueAt,
      leased_until: null,
      version: eb("version", "+", 1),
    }))
    .where("connection_id", "=", connectionId)
    .where("version", "=", version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deleteLeftBehind(tx: Tx, { connectionId, version }: DueLeftBehind) {
  await tx
    .deleteFrom("left_behind")
    .where("connection_id", "=", connectionId)
    .where("version", "=", version)
    .execute();
}

/**
 * Whether the name is connected again, by whomever: it is claimed, or covered by a wildcard that
 * is; or its own tenant is about to connect it.
 */
export async function isConnectedAgain(
  tx: Tx,
  { hostname, tenantId, environment }: Pick<Connection, "hostname" | "tenantId" | "environment">,
): Promise<boolean> {
  const cover = `*${hostname.slice(hostname.indexOf("."))}`;
  const { rows } = await sql<{ used: boolean }>`select
    exists (select from claims where hostname = any (${[hostname, cover]}::text[]))
    or exists (select from only connections where hostname = ${hostname} and tenant_id = ${tenantId}
      and environment = ${environment} and state not in ('archived', 'failed')) as used`.execute(
    tx,
  );
  return rows[0]?.used ?? false;
}

/** The number of the connection's next event, also of one that has moved. */
export async function nextArchivedSequence(tx: Tx, id: string): Promise<number> {
  const { rows } = await sql<{ sequence: number }>`
    update connections set sequence = sequence + 1 where id = ${id} returning sequence`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error("the connection of an event does not exist");
  return row.sequence;
}

/** Those of the connections whose names are known to resolve to us still. */
export async function selectDangling(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .selectFrom("left_behind")
    .select("connection_id")
    .where("connection_id", "in", ids)
    .where("dangling_since", "is not", null)
    .execute();
  return new Set(rows.map((row) => row.connection_id));
}

/** How many names of all tenants are known to resolve to us although they are archived. */
export async function countDangling(tx: Tx): Promise<number> {
  const { rows } = await sql<{ names: number }>`
    select count(*)::int as names from left_behind where dangling_since is not null`.execute(tx);
  return rows[0]?.names ?? 0;
}

/**
 * A page of those that dangle, with the other filters of a list. They are archived, so that what
 * says something of a connection on its way leaves none.
 */
export async function listDangling(
  tx: Tx,
  filter: ListFilter,
  { after, limit }: PageRequest,
): Promise<readonly { readonly id: string; readonly at: Date }[]> {
  if (excludesArchived(filter)) return [];
  const isOldestFirst = filter.sort === "stuck_since";
  const at = isOldestFirst ? sql`c.archived_at` : sql`c.created_at`;
  const order = isOldestFirst ? sql`asc` : sql`desc`;
  const beyond = isOldestFirst ? sql`>` : sql`<`;
  const start =
    after === null
      ? sql`true`
      : sql`(${at}, c.id) ${beyond} (${after.createdAt}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<{ id: string; at: Date }>`
    select c.id, ${at} as at from left_behind l join connections c on c.id = l.connection_id
    where l.tenant_id = app_tenant() and l.environment = app_environment() and l.dangling_since is not null
      and ${sql.join(conditions(filter), sql` and `)} and ${start}
    order by at ${order}, c.id ${order} limit ${limit + 1}`.execute(tx);
  return rows;
}

function excludesArchived({ states, error_code, actors, stuck }: ListFilter): boolean {
  const isOther = [error_code, actors, stuck].some((one) => one !== undefined);
  return isOther || states?.includes("archived") === false;
}

function conditions({ wildcard, q, ...filter }: ListFilter) {
  return [
    sameAs("application_id", filter.application_id),
    sameAs("batch_id", filter.batch_id),
    sameAs("provider", filter.provider),
    sameAs("customer_ref", filter.customer_ref),
    sameAs("hostname", filter.hostname),
    wildcard === undefined ? sql`true` : sql`(left(c.hostname, 2) = '*.') = ${wildcard}`,
    q === undefined
      ? sql`true`
      : sql`exists (select from connection_search s
          where s.connection_id = c.id and position(fold_text(${q}) in s.text) > 0)`,
  ];
}

function sameAs(column: string, value: string | undefined) {
  return value === undefined ? sql`true` : sql`${sql.ref(`c.${column}`)} = ${value}`;
}
