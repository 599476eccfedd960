import { sql } from "kysely";
import type { Environment, TenantScope } from "../../../domain/tenancy.ts";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";

/** A link to the page of one connection; its token is stored as a hash only. */
export interface ShareLink {
  readonly tokenHash: Buffer;
  readonly connectionId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Adds a link; only the newest `retained` links of a connection stay. */
export async function insertShareLink(
  tx: Tx,
  scope: TenantScope,
  link: ShareLink,
  retained: number,
): Promise<void> {
  await sql`insert into share_links
      (token_hash, tenant_id, environment, connection_id, created_at, expires_at)
    values (${link.tokenHash}, ${scope.tenantId}, ${scope.environment}, ${link.connectionId},
            ${link.createdAt}, ${link.expiresAt})`.execute(tx);
  await sql`delete from share_links where token_hash in (
      select token_hash from share_links where connection_id = ${link.connectionId}
      order by created_at desc, token_hash offset ${retained})`.execute(tx);
}

export interface FoundShareLink extends TenantScope {
  readonly connectionId: string;
  readonly applicationId: string;
  readonly hostname: string;
  readonly customerRef: string | null;
  readonly expiresAt: Date;
}

/** Null for a token that is unknown or expired, or whose connection is archived. */
export async function findShareLink(
  database: Database,
  tokenHash: Buffer,
  now: Date,
): Promise<FoundShareLink | null> {
  const rows = await database.prepared<{
    tenant_id: string;
    environment: Environment;
    connection_id: string;
    application_id: string;
    hostname: string;
    customer_ref: string | null;
    expires_at: Date;
  }>(
    {
      name: "find_share_link",
      text: "select tenant_id, environment, connection_id, application_id, hostname, customer_ref, expires_at from find_share_link($1, $2)",
    },
    [tokenHash, now],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    tenantId: row.tenant_id,
    environment: row.environment,
    connectionId: row.connection_id,
    applicationId: row.application_id,
    hostname: row.hostname,
    customerRef: row.customer_ref,
    expiresAt: row.expires_at,
  };
}

/** Removes links that have expired, at most this many; answers how many. */
export async function sweepShareLinks(tx: Tx, now: Date, atMost: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from share_links where token_hash in (
      select token_hash from share_links where expires_at <= ${now}
      order by expires_at limit ${atMost})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
