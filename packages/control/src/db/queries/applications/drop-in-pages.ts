import { sql } from "kysely";
import type { ConnectionState } from "../../../domain/connections/connection.ts";
import type { TenantScope } from "../../../domain/tenancy.ts";
import type { Tx } from "../../engine/transaction.ts";
import { unmovedConnections } from "../connections/connection-table.ts";

/** Which connections of an application a vendor's list shows; absent ones do not filter. */
export interface HostnameFilter {
  readonly applicationId: string;
  readonly ids?: readonly string[];
  readonly hostname?: string;
  readonly contains?: string;
  readonly startsWith?: string;
  readonly states?: readonly ConnectionState[];
  readonly originUrl?: string;
  readonly isWildcard?: boolean;
  /** False leaves those out that redirect. */
  readonly redirects?: false;
  readonly redirectTo?: string;
  /** As the vendor's fields have it. */
  readonly certificateAuthority?: string;
}

export interface NumberedPage {
  readonly limit: number;
  readonly offset: number;
  readonly direction: "asc" | "desc";
  /** Sorted by it before the time of creation. */
  readonly states: readonly ConnectionState[] | null;
}

/** A page of ids by its number, and how many there are. */
export async function pageByNumber(
  tx: Tx,
  scope: TenantScope,
  filter: HostnameFilter,
  { limit, offset, direction, states }: NumberedPage,
): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
  const matching = shownBy(tx, scope, filter);
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const sorted =
    states === null
      ? matching.select("id")
      : matching
          .select("id")
          .orderBy(sql`array_position(${[...states]}::text[], state)`, direction);
  const rows = await sorted
    .orderBy("created_at", direction)
    .orderBy("id", direction)
    .limit(limit)
    .offset(offset)
    .execute();
  return { ids: rows.map(({ id }) => id), total };
}

export interface TimedPage {
  readonly limit: number;
  /** Only those that were made before, or after, this time. */
  readonly until: Date | null;
  readonly since: Date | null;
}

export interface TimedId {
  readonly id: string;
  readonly createdAt: Date;
}

/**
 * A page between two times, newest first. Those of one moment are never divided: a page is longer
 * than the limit rather than losing some of them to the next.
 */
export async function pageByTime(
  tx: Tx,
  scope: TenantScope,
  filter: HostnameFilter,
  { limit, until, since }: TimedPage,
): Promise<readonly TimedId[]> {
  let query = shownBy(tx, scope, filter).select(["id", "created_at as createdAt"]);
  if (until !== null) query = query.where("created_at", "<", until);
  if (since !== null) query = query.where("created_at", ">", since);
  // With `since` alone the page is the one that follows it, which is read from its other end.
  const isForward = since !== null && until === null;
  const rows = await query
    .orderBy("created_at", isForward ? "asc" : "desc")
    .fetch(limit, "with ties")
    .execute();
  return rows.toSorted(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1),
  );
}

/** Whether the list has any before, or after, a time. */
export async function hasBeyond(
  tx: Tx,
  scope: TenantScope,
  filter: HostnameFilter,
  side: "older" | "newer",
  time: Date,
): Promise<boolean> {
  const row = await shownBy(tx, scope, filter)
    .select("id")
    .where("created_at", side === "older" ? "<" : ">", time)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The tenant's connections of a hostname that are not archived, newest first. */
export async function selectByHostname(
  tx: Tx,
  scope: TenantScope,
  hostname: string,
  applicationId: string | null,
): Promise<readonly { readonly id: string; readonly state: ConnectionState }[]> {
  let query = tx
    .selectFrom(unmovedConnections)
    .select(["id", "state"])
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment)
    .where("hostname", "=", hostname)
    .where("state", "<>", "archived");
  if (applicationId !== null) query = query.where("application_id", "=", applicationId);
  return await query.orderBy("created_at", "desc").orderBy("id", "desc").execute();
}

/** The tenant's connections of a domain and of the names below it that are not archived. */
export async function selectAtOrBelow(tx: Tx, domain: string): Promise<readonly string[]> {
  // The index knows parts of names only; which of them end with the domain is seen afterwards.
  const { rows } = await sql<{ id: string }>`
    select c.id from connection_search s join only connections c on c.id = s.connection_id
    where s.tenant_id = app_tenant() and s.environment = app_environment()
      and s.text like ${`%${domain}%`} and c.state <> 'archived'
      and (c.hostname = ${domain} or right(c.hostname, ${domain.length + 1}) = ${`.${domain}`})
    order by c.hostname`.execute(tx);
  return rows.map(({ id }) => id);
}

function shownBy(tx: Tx, scope: TenantScope, filter: HostnameFilter) {
  const { ids, hostname, contains, startsWith, states } = filter;
  let query = tx
    .selectFrom(unmovedConnections)
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment)
    .where("application_id", "=", filter.applicationId)
    .where("state", "<>", "archived");
  if (ids !== undefined) query = query.where(sql<boolean>`id = any (${[...ids]}::uuid[])`);
  if (hostname !== undefined) query = query.where("hostname", "=", hostname);
  if (contains !== undefined)
    query = query.where(sql<boolean>`position(${contains} in hostname) > 0`);
  if (startsWith !== undefined)
    query = query.where(sql<boolean>`starts_with(hostname, ${startsWith})`);
  if (states !== undefined) query = query.where(sql<boolean>`state = any (${[...states]}::text[])`);
  return query.where((eb) => eb.and(servedBy(filter)));
}

/** The filters on how a hostname is served. */
function servedBy({
  originUrl,
  isWildcard,
  redirects,
  redirectTo,
  certificateAuthority,
}: HostnameFilter) {
  return [
    ...(originUrl === undefined ? [] : [sql<boolean>`origin_url = ${originUrl}`]),
    ...(isWildcard === undefined
      ? []
      : [sql<boolean>`starts_with(hostname, '*.') = ${isWildcard}`]),
    ...(redirects === false ? [sql<boolean>`redirect_to is null`] : []),
    ...(redirectTo === undefined ? [] : [sql<boolean>`redirect_to = ${redirectTo}`]),
    ...(certificateAuthority === undefined
      ? []
      : [
          sql<boolean>`exists (select from drop_in_fields f where f.connection_id = connections.id
            and f.vendor = 'cloudflare' and f.fields #>> '{ssl,certificate_authority}' = ${certificateAuthority})`,
        ]),
  ];
}
