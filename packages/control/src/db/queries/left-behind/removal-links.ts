import { sql } from "kysely";
import type { TenantScope } from "../../../domain/tenancy.ts";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { FoundShareLink, ShareLink } from "../connections/share-links.ts";

/** Links to the page that asks to remove the records of an archived connection. */

/** Adds a link; only the newest `retained` links of a connection stay. */
export async function insertRemovalLink(
  tx: Tx,
  scope: TenantScope,
  link: ShareLink,
  retained: number,
): Promise<void> {
  await sql`insert into removal_links
      (token_hash, tenant_id, environment, connection_id, created_at, expires_at)
    values (${link.tokenHash}, ${scope.tenantId}, ${scope.environment}, ${link.connectionId},
            ${link.createdAt}, ${link.expiresAt})`.execute(tx);
  await sql`delete from removal_links where token_hash in (
      select token_hash from removal_links where connection_id = ${link.connectionId}
      order by created_at desc, token_hash offset ${retained})`.execute(tx);
}

const findRemoval = {
  name: "find_removal_link",
  text: `select tenant_id as "tenantId", environment, connection_id as "connectionId",
    application_id as "applicationId", hostname, customer_ref as "customerRef", expires_at as "expiresAt"
    from find_removal_link($1, $2)`,
};

/** Null for a token that is unknown or expired, or whose name is connected again. */
export async function findRemovalLink(
  database: Database,
  tokenHash: Buffer,
  now: Date,
): Promise<FoundShareLink | null> {
  const [row] = await database.prepared<FoundShareLink>(findRemoval, [tokenHash, now]);
  return row ?? null;
}

/** Removes links that have expired, at most this many; answers how many. */
export async function sweepRemovalLinks(tx: Tx, now: Date, atMost: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from removal_links where token_hash in (
      select token_hash from removal_links where expires_at <= ${now}
      order by expires_at limit ${atMost})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
