import { sql } from "kysely";
import type { ConnectionState } from "../../../domain/connections/connection.ts";
import type { Cutover } from "../../../domain/connections/cutover.ts";
import type { FindingHeadline } from "../../../domain/diagnosis/finding.ts";
import type { Environment, TenantScope } from "../../../domain/tenancy.ts";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";

/** A link to the page of one customer; its token is stored as a hash only. */
export interface StatusLink {
  readonly id: string;
  readonly applicationId: string;
  readonly customerRef: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Adds a link; only the newest `retained` links of a customer stay. */
export async function insertStatusLink(
  tx: Tx,
  scope: TenantScope,
  link: StatusLink & { readonly tokenHash: Buffer },
  retained: number,
): Promise<void> {
  await sql`insert into status_links
      (id, token_hash, tenant_id, environment, application_id, customer_ref, created_at, expires_at)
    values (${link.id}, ${link.tokenHash}, ${scope.tenantId}, ${scope.environment},
            ${link.applicationId}, ${link.customerRef}, ${link.createdAt}, ${link.expiresAt})`.execute(
    tx,
  );
  await sql`delete from status_links where id in (
      select id from status_links
      where tenant_id = ${scope.tenantId} and environment = ${scope.environment}
        and customer_ref = ${link.customerRef}
      order by created_at desc, id desc offset ${retained})`.execute(tx);
}

/** Those of a customer that have not expired, newest first. */
export async function selectStatusLinks(
  tx: Tx,
  scope: TenantScope,
  customerRef: string,
  now: Date,
): Promise<readonly StatusLink[]> {
  const { rows } = await sql<StatusLink>`
    select id, application_id as "applicationId", customer_ref as "customerRef",
      created_at as "createdAt", expires_at as "expiresAt"
    from status_links
    where tenant_id = ${scope.tenantId} and environment = ${scope.environment}
      and customer_ref = ${customerRef} and expires_at > ${now}
    order by created_at desc, id desc`.execute(tx);
  return rows;
}

/** Null when there is none. */
export async function deleteStatusLink(tx: Tx, id: string): Promise<StatusLink | null> {
  const { rows } = await sql<StatusLink>`
    delete from status_links where id = ${id}
    returning id, application_id as "applicationId", customer_ref as "customerRef",
      created_at as "createdAt", expires_at as "expiresAt"`.execute(tx);
  return rows[0] ?? null;
}

export interface FoundStatusLink extends TenantScope {
  readonly applicationId: string;
  readonly customerRef: string;
  readonly expiresAt: Date;
}

/** Null for a token that is unknown or expired, or whose application is deleted. */
export async function findStatusLink(
  database: Database,
  tokenHash: Buffer,
  now: Date,
): Promise<FoundStatusLink | null> {
  const [row] = await database.prepared<{
    tenant_id: string;
    environment: Environment;
    application_id: string;
    customer_ref: string;
    expires_at: Date;
  }>(
    {
      name: "find_status_link",
      text: "select tenant_id, environment, application_id, customer_ref, expires_at from find_status_link($1, $2)",
    },
    [tokenHash, now],
  );
  if (row === undefined) return null;
  return {
    tenantId: row.tenant_id,
    environment: row.environment,
    applicationId: row.application_id,
    customerRef: row.customer_ref,
    expiresAt: row.expires_at,
  };
}

/** Removes links that have expired, at most this many; answers how many. */
export async function sweepStatusLinks(tx: Tx, now: Date, atMost: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from status_links where id in (
      select id from status_links where expires_at <= ${now}
      order by expires_at limit ${atMost})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** What is stored of a customer's domain for its page. */
export interface CustomerDomain {
  readonly id: string;
  readonly hostname: string;
  readonly registrableDomain: string;
  readonly state: ConnectionState;
  readonly errorCode: string | null;
  readonly cutover: Cutover | null;
  readonly finding: FindingHeadline | null;
  readonly lastCheckedAt: Date | null;
  /** Until when the certificate in use is valid; null while there is none. */
  readonly certifiedUntil: Date | null;
}

/** Domains that are not archived, by their names. */
export async function selectCustomerDomains(
  tx: Tx,
  { tenantId, environment, applicationId, customerRef }: FoundStatusLink,
  only: { readonly hostname: string | null; readonly limit: number },
): Promise<readonly CustomerDomain[]> {
  const { rows } = await sql<CustomerDomain>`
    select c.id, c.hostname, c.registrable_domain as "registrableDomain", c.state,
      c.error_code as "errorCode", c.cutover, c.finding,
      greatest(c.last_checked_at, k.last_checked_at) as "lastCheckedAt", t.not_after as "certifiedUntil"
    from only connections c
    left join connection_checks k on k.connection_id = c.id and k.tenant_id = c.tenant_id
    left join certificates t on t.hostname = c.hostname and t.connection_id = c.id
    where c.tenant_id = ${tenantId} and c.environment = ${environment}
      and c.customer_ref = ${customerRef} and c.application_id = ${applicationId}
      and c.state <> 'archived' and c.hostname = coalesce(${only.hostname}, c.hostname)
    order by c.hostname, c.created_at desc limit ${only.limit}`.execute(tx);
  return rows;
}

/** The applications that the customer has domains of which are not archived. */
export async function selectCustomerApplications(
  tx: Tx,
  scope: TenantScope,
  customerRef: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ application_id: string }>`
    select distinct c.application_id from only connections c
    where c.tenant_id = ${scope.tenantId} and c.environment = ${scope.environment}
      and c.customer_ref = ${customerRef} and c.state <> 'archived'`.execute(tx);
  return rows.map((row) => row.application_id);
}
