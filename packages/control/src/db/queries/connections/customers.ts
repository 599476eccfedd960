import { sql } from "kysely";
import type { StuckSince } from "../../../domain/connections/stuck.ts";
import type { TenantScope } from "../../../domain/tenancy.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { Page, PageRequest } from "../page.ts";

/** A customer of the tenant, with how its domains are. */
export interface CustomerRow {
  readonly customerRef: string;
  /** Not archived. */
  readonly connections: number;
  readonly live: number;
  readonly stuck: number;
  readonly newestAt: Date;
}

/** What bounds the work of a page. */
export interface CustomerLimits {
  /** Of one customer. */
  readonly mostCounted: number;
  /** In a search. */
  readonly mostSearched: number;
}

interface FoundCustomer extends CustomerRow {
  readonly id: string;
}

/**
 * Customers in the order of their names. The index is entered once for each customer of the page,
 * however many domains they have; a search reads what its text is found in.
 */
export async function pageCustomers(
  tx: Tx,
  scope: TenantScope,
  q: string | null,
  { after, limit }: PageRequest,
  since: StuckSince,
  { mostCounted, mostSearched }: CustomerLimits,
): Promise<Page<CustomerRow>> {
  const own = sql`c.tenant_id = ${scope.tenantId} and c.environment = ${scope.environment}`;
  // A position is the newest domain of the customer before.
  const last = sql`coalesce((select c.customer_ref from only connections c where c.id = ${after?.id ?? null}::uuid), '')`;
  const ordered = sql`order by c.customer_ref, c.created_at desc, c.id desc limit 1`;
  const found =
    q === null
      ? sql`
    recursive found as (
      (select c.customer_ref, c.id, c.created_at from only connections c
        where ${own} and c.customer_ref > ${last} ${ordered})
      union all
      select n.customer_ref, n.id, n.created_at from found f cross join lateral (
        select c.customer_ref, c.id, c.created_at from only connections c
        where ${own} and c.customer_ref > f.customer_ref ${ordered}) n)`
      : sql`
    matching as (
      select s.connection_id from connection_search s
      where s.tenant_id = ${scope.tenantId} and s.environment = ${scope.environment}
        and s.text like ${pattern(q)} limit ${mostSearched}),
    found as (
      select distinct on (c.customer_ref) c.customer_ref, c.id, c.created_at
      from matching m join only connections c on c.id = m.connection_id
      where c.customer_ref > ${last} and position(fold_text(${q}) in fold_text(c.customer_ref)) > 0
      order by c.customer_ref, c.created_at desc, c.id desc)`;
  const { rows } = await sql<FoundCustomer>`
    with ${found}
    select f.customer_ref as "customerRef", f.id, f.created_at as "newestAt", n.connections, n.live, n.stuck
    from (select * from found limit ${limit + 1}) f cross join lateral (
      select count(*)::int as connections, count(*) filter (where state = 'live')::int as live,
        count(*) filter (where is_stuck(state, since, cutover, ${JSON.stringify(since)}::jsonb))::int as stuck
      from (select c.state, coalesce(c.state_since, c.phase_started_at) as since, c.cutover from only connections c
        where ${own} and c.customer_ref = f.customer_ref and c.state <> 'archived'
        limit ${mostCounted}) counted) n
    order by f.customer_ref`.execute(tx);
  const items = rows.slice(0, limit).map(({ id: _, ...customer }) => customer);
  const end = rows.length > limit ? rows[limit - 1] : undefined;
  return { items, next: end === undefined ? null : { createdAt: end.newestAt, id: end.id } };
}

/** The text anywhere, with nothing in it that means something to `like`. */
function pattern(q: string) {
  const escaped = q.replaceAll(/[\\%_]/g, "\\$&");
  return sql`'%' || fold_text(${escaped}) || '%'`;
}
