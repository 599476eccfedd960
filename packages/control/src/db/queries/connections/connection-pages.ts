import { sql } from "kysely";
import type { ConnectionState } from "../../../domain/connections/connection.ts";
import type { ListedConnection } from "../../../domain/connections/listed-connection.ts";
import type { StuckSince } from "../../../domain/connections/stuck.ts";
import type { TenantScope } from "../../../domain/tenancy.ts";
import { createLoader, type Loader } from "../../engine/loader.ts";
import type { Database } from "../../engine/pool.ts";
import type { RowOrJson } from "../../engine/times.ts";
import type { Tx } from "../../engine/transaction.ts";
import { listDangling } from "../left-behind/left-behind.ts";
import { fetchPage, type Page, type PageRequest, toPage } from "../page.ts";
import { type ListedRow, listedFields, toListedConnection } from "./connection-row.ts";
import { allConnections, unmovedConnections } from "./connection-table.ts";
import { type ListedId, listEndingIds } from "./ending-connections.ts";
import type { ListFilter } from "./list-filter.ts";

export interface ConnectionFilter {
  readonly state: ConnectionState | null;
  readonly hostname: string | null;
}

export interface ConnectionPageRequest extends ConnectionFilter, PageRequest {
  readonly scope: TenantScope;
}

const pageConnections = {
  name: "page_connections",
  text: "select page_connections($1, $2, $3, $4, $5, $6, $7) as page",
};

/**
 * Pages of lists, newest first. Requests that arrive together share a round trip, and equal ones a
 * read. The index is entered at the position, so every page costs the same.
 */
export function connectionPageLoader(
  database: Database,
): Loader<ConnectionPageRequest, Page<ListedConnection>> {
  return createLoader({
    identify: pageIdentity,
    fetch: async (requests) => {
      const rows = await database.prepared<{
        readonly page: readonly RowOrJson<ListedRow>[] | null;
      }>(pageConnections, [
        requests.map(({ scope }) => scope.tenantId),
        requests.map(({ scope }) => scope.environment),
        requests.map(({ state }) => state),
        requests.map(({ hostname }) => hostname),
        requests.map(({ after }) => after?.createdAt ?? null),
        requests.map(({ after }) => after?.id ?? null),
        requests.map(({ limit }) => limit + 1),
      ]);
      // One row for each request, in their order.
      return requests.map((request, index) => [
        pageIdentity(request),
        toPage(rows[index]?.page ?? [], request.limit, toListedConnection),
      ]);
    },
    // Larger than a single row: a few rounds side by side use more than one core of the server.
    maxKeys: 32,
    maxInFlight: 4,
  });
}

function pageIdentity({ scope, state, hostname, after, limit }: ConnectionPageRequest): string {
  const position = after ? `${after.createdAt.getTime()}/${after.id}` : "";
  return [scope.tenantId, scope.environment, state, hostname, position, limit].join("\n");
}

/**
 * A page by any set of filters, in the order that they name. Its positions are times of that order.
 */
export async function pageFilteredConnections(
  tx: Tx,
  filter: ListFilter,
  page: PageRequest,
  since: StuckSince,
  now: Date,
): Promise<Page<ListedConnection>> {
  const { limit } = page;
  const rows =
    filter.dangling === true
      ? await listDangling(tx, filter, page)
      : ((await searchRecent(tx, filter, page)) ??
        (await listEndingIds(tx, filter, page, { since, now })) ??
        (await listIds(tx, filter, page, since)));
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  if (last === undefined) return { items: [], next: null };
  const ids = shown.map(({ id }) => id);
  const unmoved = await selectListed(tx, unmovedConnections, ids);
  const seen = new Set(unmoved.map(({ id }) => id));
  const others = ids.filter((id) => !seen.has(id));
  const found =
    others.length === 0
      ? unmoved
      : [...unmoved, ...(await selectListed(tx, allConnections, others))];
  const byId = new Map(found.map((row) => [row.id, toListedConnection(row)]));
  return {
    items: shown.flatMap(({ id }) => byId.get(id) ?? []),
    next: rows.length > limit ? { createdAt: last.at, id: last.id } : null,
  };
}

/**
 * Each by its id alone: for a set of ids the planner may read an index that begins with the tenant,
 * with all that the tenant has.
 */
function selectListed(
  tx: Tx,
  table: typeof allConnections,
  ids: readonly string[],
): Promise<ListedRow[]> {
  const requested = sql<{ id: string }>`unnest(${[...ids]}::uuid[])`.as<"requested">(
    sql`requested(id)`,
  );
  return tx
    .selectFrom(requested)
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom(table)
          .select(listedFields)
          .whereRef("connections.id", "=", "requested.id")
          .limit(1)
          .as("found"),
      (join) => join.onTrue(),
    )
    .selectAll("found")
    .execute();
}

async function listIds(
  tx: Tx,
  { q, stuck, ...others }: ListFilter,
  { after, limit }: PageRequest,
  since: StuckSince,
): Promise<readonly ListedId[]> {
  const filter = stuck === undefined ? others : { ...others, stuck: since };
  const search = q === undefined ? sql`'{}'` : sql`jsonb_build_object('q', fold_text(${q}))`;
  const { rows } = await sql<ListedId>`
    select id, at from list_connections(${JSON.stringify(filter)}::jsonb || ${search}, ${after?.createdAt ?? null}::timestamptz,
      ${after?.id ?? null}::uuid, ${limit + 1})`.execute(tx);
  return rows;
}

const recentRows = 2_000;

/**
 * A text that most names have fills a page from the newest ones, where its index would give all of
 * them. The planner cannot know: row level security hides the statistics from it. Null when it is
 * not that common.
 */
async function searchRecent(
  tx: Tx,
  { q, ...others }: ListFilter,
  { after, limit }: PageRequest,
): Promise<readonly ListedId[] | null> {
  if (q === undefined || Object.keys(others).length > 0) return null;
  const { rows } = await sql<ListedId>`
    select connection_id as id, created_at as at from (
      select connection_id, created_at, text from connection_search
      where tenant_id = app_tenant() and environment = app_environment()
        and ${after === null ? sql`true` : sql`(created_at, connection_id) < (${after.createdAt}, ${after.id}::uuid)`}
      order by created_at desc, connection_id desc limit ${recentRows}) as recent
    where position(fold_text(${q}) in text) > 0
    order by created_at desc, connection_id desc limit ${limit + 1}`.execute(tx);
  return rows.length > limit ? rows : null;
}

export interface CustomerFilter extends ConnectionFilter {
  readonly customerRef: string;
  readonly applicationId: string | null;
}

/** A page of one customer's connections, by an index of its own. */
export function pageCustomerConnections(
  tx: Tx,
  scope: TenantScope,
  filter: CustomerFilter,
  page: PageRequest,
): Promise<Page<ListedConnection>> {
  const mayHaveMoved = filter.state === null || filter.state === "archived";
  let query = tx
    .selectFrom(mayHaveMoved ? allConnections : unmovedConnections)
    .select(listedFields)
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment)
    .where("customer_ref", "=", filter.customerRef);
  if (filter.applicationId !== null)
    query = query.where("application_id", "=", filter.applicationId);
  if (filter.hostname !== null) query = query.where("hostname", "=", filter.hostname);
  if (filter.state !== null) query = query.where("state", "=", filter.state);
  return fetchPage(query, page, toListedConnection);
}
