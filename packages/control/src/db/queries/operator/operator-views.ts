import { sql } from "kysely";
import type { TenantState } from "../../../domain/tenancy.ts";
import type { Tx } from "../../engine/transaction.ts";
import { fetchPage, type Page, type PageRequest } from "../page.ts";
import { stateFrom } from "./tenants.ts";

/** One tenant as the operator sees it: who, on which plan, and how much it uses. */
export interface TenantView {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly members: number;
  /** Hostnames that it holds now, by environment. */
  readonly held: Readonly<Record<string, number>>;
  /** Of the month, of the live environment. */
  readonly usage: Readonly<Record<string, number>>;
  readonly createdAt: Date;
  readonly state: TenantState;
  readonly suspendedReason: string | null;
  readonly deletedAt: Date | null;
}

/** Those whose name has the text, in any case; all without one. */
export async function pageTenantViews(
  tx: Tx,
  filter: { readonly period: string; readonly text: string | null },
  page: PageRequest,
): Promise<Page<TenantView>> {
  const { period, text } = filter;
  const all = tx
    .selectFrom("tenants")
    .select(["id", "name", "plan", "created_at", "suspended_at", "suspended_reason", "deleted_at"])
    .select([
      sql<number>`(select count(*)::int from members m where m.tenant_id = tenants.id)`.as(
        "members",
      ),
      sql<Record<string, number>>`coalesce((select jsonb_object_agg(h.environment, h.held)
        from held_hostnames h where h.tenant_id = tenants.id), '{}')`.as("held"),
      sql<
        Record<string, number>
      >`coalesce((select jsonb_object_agg(u.kind, u.amount) from usage_counters u
        where u.tenant_id = tenants.id and u.environment = 'live' and u.period = ${period}::date), '{}')`.as(
        "usage",
      ),
    ]);
  const query =
    text === null
      ? all
      : all.where(sql<boolean>`position(lower(${text}) in lower(tenants.name)) > 0`);
  return fetchPage(query, page, (row) => ({
    id: row.id,
    name: row.name,
    plan: row.plan,
    members: row.members,
    held: row.held,
    usage: row.usage,
    createdAt: row.created_at,
    state: stateFrom(row),
    suspendedReason: row.suspended_reason,
    deletedAt: row.deleted_at,
  }));
}

export interface EdgeView {
  readonly id: string;
  readonly address: string;
  readonly version: string;
  readonly certificates: number;
  readonly startedAt: Date;
  readonly lastSeenAt: Date;
}

/** Those that reported since a time. */
export async function selectEdges(tx: Tx, since: Date): Promise<EdgeView[]> {
  const { rows } = await sql<EdgeView>`
    select id, address, version, certificates, started_at as "startedAt", last_seen_at as "lastSeenAt"
    from edges where last_seen_at >= ${since} order by address, started_at limit 1000`.execute(tx);
  return rows;
}

export interface ProviderView {
  readonly provider: string;
  readonly credentials: number;
  readonly failing: number;
  /** Connections whose writes it refuses, delays or does not answer. */
  readonly affected: number;
}

export async function selectProviderViews(tx: Tx): Promise<ProviderView[]> {
  const { rows } = await sql<ProviderView>`
    select provider, sum(credentials)::int as credentials, sum(failing)::int as failing, sum(affected)::int as affected
    from (
      select provider, count(*) as credentials, count(*) filter (where failing_since is not null) as failing,
        0 as affected from credentials group by provider
      union all
      select provider, 0, 0, count(*) from only connections
      where error_code in ('provider_auth', 'provider_rate_limited', 'provider_unavailable', 'provider_unsupported')
        and state <> 'archived' and provider is not null group by provider
    ) as seen group by provider order by provider`.execute(tx);
  return rows;
}
