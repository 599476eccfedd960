import { sql } from "kysely";
import type { Environment } from "../../../domain/tenancy.ts";
import type { Tx } from "../../engine/transaction.ts";

export interface OAuthAttempt {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly connectionId: string;
  readonly provider: string;
  readonly stateHash: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertOAuthAttempt(tx: Tx, attempt: OAuthAttempt): Promise<void> {
  await tx
    .insertInto("oauth_grants")
    .values({
      id: attempt.id,
      tenant_id: attempt.tenantId,
      environment: attempt.environment,
      connection_id: attempt.connectionId,
      provider: attempt.provider,
      state_hash: attempt.stateHash,
      created_at: attempt.createdAt,
      expires_at: attempt.expiresAt,
      returned_at: null,
      grant_hash: null,
      sealed: null,
    })
    .execute();
}

export interface ReturnedAttempt extends OAuthAttempt {
  readonly returnedAt: Date | null;
}

export async function selectOAuthAttempt(
  tx: Tx,
  stateHash: Buffer,
): Promise<ReturnedAttempt | null> {
  const row = await tx
    .selectFrom("oauth_grants")
    .selectAll()
    .where("state_hash", "=", stateHash)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    tenantId: row.tenant_id,
    environment: row.environment,
    connectionId: row.connection_id,
    provider: row.provider,
    stateHash: row.state_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    returnedAt: row.returned_at,
  };
}

/** Consumes the state. False when it was consumed before or has expired: nothing is written. */
export async function consumeOAuthState(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("oauth_grants")
    .set({ returned_at: now })
    .where("id", "=", id)
    .where("returned_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function saveOAuthToken(
  tx: Tx,
  id: string,
  token: { readonly grantHash: Buffer; readonly sealed: string; readonly expiresAt: Date },
): Promise<void> {
  await tx
    .updateTable("oauth_grants")
    .set({ grant_hash: token.grantHash, sealed: token.sealed, expires_at: token.expiresAt })
    .where("id", "=", id)
    .execute();
}

export interface OAuthGrant {
  readonly id: string;
  readonly tenantId: string;
  readonly provider: string;
  readonly sealed: string;
  readonly receivedAt: Date;
}

/**
 * The token of one of these connections that a secret redeems; null when it is used, expired, or
 * another's.
 */
export async function selectOAuthGrant(
  tx: Tx,
  connectionIds: readonly string[],
  grantHash: Buffer,
  now: Date,
): Promise<OAuthGrant | null> {
  const row = await tx
    .selectFrom("oauth_grants")
    .select(["id", "tenant_id", "provider", "sealed", "returned_at"])
    .where("connection_id", "in", [...connectionIds])
    .where("grant_hash", "=", grantHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (!row?.sealed || row.returned_at === null) return null;
  const { id, tenant_id: tenantId, provider, sealed, returned_at: receivedAt } = row;
  return { id, tenantId, provider, sealed, receivedAt };
}

export async function deleteOAuthGrant(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("oauth_grants").where("id", "=", id).execute();
}

/** Removes what nobody can use any more; answers how many. */
export async function sweepOAuthGrants(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from oauth_grants where id in (
    select id from oauth_grants where expires_at < ${before} limit ${limit})`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
