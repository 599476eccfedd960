import { sql } from "kysely";
import { connectionStates } from "../../../domain/connections/connection.ts";
import type { Tx } from "../../engine/transaction.ts";
import { removeTraffic } from "../traffic/traffic-upkeep.ts";

/** How much of each kind a tenant has. */
export type TenantCounts = Readonly<Record<CountedKind, number>>;

const counted = {
  open_connections: sql`select count(*) from only connections where state <> 'archived' and tenant_id = `,
  hostnames: sql`select coalesce(sum(held), 0) from held_hostnames where tenant_id = `,
  api_keys: sql`select count(*) from api_keys where revoked_at is null and tenant_id = `,
  sessions: sql`select count(*) from sessions where revoked_at is null and tenant_id = `,
  webhook_endpoints: sql`select count(*) from webhook_endpoints where active and tenant_id = `,
  connections: sql`select count(*) from connections where tenant_id = `,
  applications: sql`select count(*) from applications where tenant_id = `,
  members: sql`select count(*) from members where tenant_id = `,
  credentials: sql`select count(*) from credentials where tenant_id = `,
  events: sql`select count(*) from events where tenant_id = `,
  deliveries: sql`select count(*) from deliveries where tenant_id = `,
  audit_entries: sql`select count(*) from audit_log where tenant_id = `,
  subscriptions: sql`select count(*) from subscriptions
    where status in ('active', 'past_due') and stripe_subscription is not null and tenant_id = `,
} as const;

export type CountedKind = keyof typeof counted;

export async function countTenant(tx: Tx, tenantId: string): Promise<TenantCounts> {
  const columns = Object.entries(counted).map(
    ([kind, count]) => sql`(${count}${tenantId})::int as ${sql.id(kind)}`,
  );
  const { rows } = await sql<TenantCounts>`select ${sql.join(columns)}`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("a select without a table returned no row");
  return row;
}

/** Ends every key, session and sign-in link of the tenant. */
export async function revokeAccess(tx: Tx, tenantId: string, now: Date): Promise<void> {
  await tx
    .updateTable("api_keys")
    .set({ revoked_at: now })
    .where("tenant_id", "=", tenantId)
    .where("revoked_at", "is", null)
    .execute();
  await tx
    .updateTable("sessions")
    .set({ revoked_at: now })
    .where("tenant_id", "=", tenantId)
    .where("revoked_at", "is", null)
    .execute();
  await tx.deleteFrom("sign_in_links").where("tenant_id", "=", tenantId).execute();
}

export interface DeletedTenant {
  readonly id: string;
  readonly deletedAt: Date;
}

const openStates = connectionStates.filter((state) => state !== "archived");

/** The tenant's connections that are not archived yet, by an index that knows their states. */
const isOpen = (tenantId: unknown) => sql`tenant_id = ${tenantId}
  and environment in ('test', 'live') and state = any (${openStates})`;

/** Its deliveries to endpoints that work; what was given up or waits for another does not count. */
const undelivered = (tenantId: unknown) => sql`select from deliveries d
  join webhook_endpoints e on e.id = d.endpoint_id and e.active
  where d.tenant_id = ${tenantId} and d.environment in ('test', 'live')
    and d.status in ('pending', 'failed') and (d.due_at is not null or d.leased_until is not null)`;

/** Deleted tenants with something to archive, to turn off or, deleted by `removedBy`, to remove. */
export async function selectOpenDeletions(
  tx: Tx,
  removedBy: Date,
): Promise<readonly DeletedTenant[]> {
  const id = sql.ref("t.id");
  const { rows } = await sql<DeletedTenant>`select t.id, t.deleted_at as "deletedAt" from tenants t
    where t.deleted_at is not null and (t.deleted_at <= ${removedBy}
      or exists (select from only connections where ${isOpen(id)})
      or exists (select from webhook_endpoints w where w.tenant_id = t.id and w.active
        and not exists (${undelivered(id)})))
    order by t.deleted_at, t.id`.execute(tx);
  return rows;
}

/** Whether this worker has the tenant until `until`: one at a time archives or removes. */
export async function leaseRemoval(
  tx: Tx,
  tenantId: string,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`update tenants set removal_leased_until = ${until}
    where id = ${tenantId} and deleted_at is not null
      and (removal_leased_until is null or removal_leased_until <= ${now})`.execute(tx);
  return numAffectedRows === 1n;
}

export async function extendRemoval(tx: Tx, tenantId: string, until: Date | null): Promise<void> {
  await tx
    .updateTable("tenants")
    .set({ removal_leased_until: until })
    .where("id", "=", tenantId)
    .execute();
}

/**
 * Whether the tenant was deleted, at `before` or earlier. Until the transaction ends it stays so:
 * who resumes it waits.
 */
export async function lockDeleted(tx: Tx, tenantId: string, before: Date): Promise<boolean> {
  const { rows } = await sql`select 1 from tenants
    where id = ${tenantId} and deleted_at <= ${before} for no key update`.execute(tx);
  return rows.length > 0;
}

/** Some of the tenant's connections that are not archived yet. */
export async function selectOpenConnections(
  tx: Tx,
  tenantId: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly hostname: string }[]> {
  const { rows } = await sql<{ readonly id: string; readonly hostname: string }>`
    select id, hostname from only connections where ${isOpen(tenantId)} limit ${limit}`.execute(tx);
  return rows;
}

/** Turns the tenant's endpoints off when nothing is left to be sent. */
export async function endWebhooks(tx: Tx, tenantId: string): Promise<void> {
  await sql`update webhook_endpoints set active = false
    where tenant_id = ${tenantId} and active and not exists (${undelivered(tenantId)})`.execute(tx);
}

/**
 * What belongs to a connection and is found by its id. Removed before the connection. A new table
 * with a `tenant_id` belongs here or below: a test fills all of them.
 */
const connectionParts = [
  "claims",
  "connection_search",
  "dns_writes",
  "domain_connect_attempts",
  "domain_connect_grants",
  "drop_in_fields",
  "email_setups",
  "foreign_certificates",
  "first_visits",
  "imported_certificates",
  "oauth_grants",
  "left_behind",
  "origin_health",
  "registered_names",
  "quota_waits",
  "removal_links",
  "sending_domains",
  "share_links",
  "timeline",
  "token_connections",
  "troubles",
] as const;

/** What is found by its tenant, in the order of the foreign keys. */
const tenantParts = [
  "contests",
  "endpoint_jobs",
  "events",
  "audit_log",
  "idempotency_keys",
  "usage_causes",
  "usage_counters",
  "connection_days",
  "webhook_endpoints",
  "credentials",
  "api_keys",
  "targets",
  "status_links",
  "applications",
  "passkeys",
  "sessions",
  "sign_in_links",
  "members",
  "tenant_domains",
  "sandbox_zones",
  "held_hostnames",
  "check_queues",
  "subscriptions",
] as const;

/**
 * Removes some of the rows of a deleted tenant whose connections are archived, a bounded number;
 * false when only its own row is left. What the operator did with it stays in the audit log.
 */
export async function removeRows(tx: Tx, tenantId: string, limit: number): Promise<boolean> {
  // First: an attempt that is recorded meanwhile notes it on the timeline.
  if (await removeOf(tx, "deliveries", tenantId, limit)) return true;
  if (await removeConnections(tx, tenantId, limit)) return true;
  if ((await removeTraffic(tx, tenantId, limit)) > 0) return true;
  for (const table of tenantParts) {
    if (table === "webhook_endpoints") {
      await sql`delete from endpoint_queue where tenant_id = ${tenantId}`.execute(tx);
    }
    if (await removeOf(tx, table, tenantId, limit)) return true;
  }
  return false;
}

async function removeOf(
  tx: Tx,
  table: (typeof tenantParts)[number] | "deliveries",
  tenantId: string,
  limit: number,
): Promise<boolean> {
  const except =
    table === "audit_log" ? sql`and subject is distinct from ${`tenant:${tenantId}`}` : sql``;
  // One table without children, so that a row is one ctid.
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ctid = any (array(
    select ctid from ${sql.table(table)} where tenant_id = ${tenantId} ${except} limit ${limit}))`.execute(
    tx,
  );
  return (numAffectedRows ?? 0n) > 0n;
}

/**
 * Fewer connections than rows: each has rows of its own. They are locked first: a worker that is
 * writing such a row has done so before they are removed.
 */
const connectionsPerPiece = 100;

async function removeConnections(tx: Tx, tenantId: string, limit: number): Promise<boolean> {
  const { rows } = await sql<{ readonly id: string; readonly hostname: string }>`
    select id, hostname from connections where tenant_id = ${tenantId} limit ${connectionsPerPiece}
    for update`.execute(tx);
  if (rows.length === 0) return false;
  const ids = rows.map(({ id }) => id);
  for (const table of connectionParts) {
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ctid = any (array(
      select ctid from ${sql.table(table)} where connection_id = any (${ids}::uuid[]) limit ${limit}))`.execute(
      tx,
    );
    // The rest of them is for the next piece, and the connections stay until then.
    if (Number(numAffectedRows ?? 0n) === limit) return true;
  }
  const hostnames = rows.map(({ hostname }) => hostname);
  await sql`delete from certificates where tenant_id = ${tenantId}
    and hostname = any (${hostnames})`.execute(tx);
  await sql`delete from connection_checks where tenant_id = ${tenantId}
    and connection_id = any (${ids}::uuid[])`.execute(tx);
  // The table of archived connections is a child of this one.
  await sql`delete from connections where id = any (${ids}::uuid[])`.execute(tx);
  return true;
}

export async function deleteTenant(tx: Tx, tenantId: string): Promise<void> {
  await tx.deleteFrom("tenants").where("id", "=", tenantId).execute();
}
