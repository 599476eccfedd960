import { type RawBuilder, sql } from "kysely";
import { connectionStates, holdsClaim } from "../../../domain/connections/connection.ts";
import type { TenantScope } from "../../../domain/tenancy.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { TimedPage } from "./drop-in-pages.ts";

/** A registered domain of which a tenant has connected the name itself or names below it. */
export interface ListedDomain {
  readonly name: string;
  /** When the first of its names was added. */
  readonly createdAt: Date;
  /** Whether one of them is proven. */
  readonly verified: boolean;
}

/** A page between two times, newest first; domains of one moment are never divided. */
export async function pageDomains(
  tx: Tx,
  scope: TenantScope,
  { limit, until, since }: TimedPage,
): Promise<{
  readonly items: readonly ListedDomain[];
  readonly older: Date | null;
  readonly newer: Date | null;
}> {
  const isForward = since !== null && until === null;
  const direction = isForward ? sql`asc` : sql`desc`;
  const { rows } = await sql<ListedDomain & { readonly first: Date; readonly last: Date }>`
    with domains as (${domainsOf(scope)}),
      ends as (select min("createdAt") as first, max("createdAt") as last from domains)
    select domains.*, ends.first, ends.last from domains, ends
    where (${until}::timestamptz is null or "createdAt" < ${until})
      and (${since}::timestamptz is null or "createdAt" > ${since})
    order by "createdAt" ${direction} fetch first ${limit} rows with ties`.execute(tx);
  const items = rows
    .map(({ name, createdAt, verified }) => ({ name, createdAt, verified }))
    .toSorted(
      (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.name < b.name ? -1 : 1),
    );
  const [newest, oldest] = [items[0]?.createdAt, items.at(-1)?.createdAt];
  const [ends] = rows;
  return {
    items,
    older: ends && oldest && ends.first < oldest ? oldest : null,
    newer: ends && newest && ends.last > newest ? newest : null,
  };
}

export async function selectDomain(
  tx: Tx,
  scope: TenantScope,
  name: string,
): Promise<ListedDomain | null> {
  const { rows } = await sql<ListedDomain>`
    select * from (${domainsOf(scope, name)}) as domains`.execute(tx);
  return rows[0] ?? null;
}

const claimed = connectionStates.filter(holdsClaim);

function domainsOf(scope: TenantScope, name: string | null = null): RawBuilder<unknown> {
  // The index knows parts of names only; whose domain it is is seen afterwards.
  const only =
    name === null
      ? sql``
      : sql`and registrable_domain = ${name} and id in (
          select s.connection_id from connection_search s
          where s.tenant_id = ${scope.tenantId} and s.environment = ${scope.environment}
            and s.text like ${`%${name}%`})`;
  return sql`
    select registrable_domain as name, min(created_at) as "createdAt",
      bool_or(state = any (${claimed}::text[])) as verified
    from only connections
    where tenant_id = ${scope.tenantId} and environment = ${scope.environment}
      and state <> 'archived' ${only}
    group by registrable_domain`;
}
