import { type Selectable, sql } from "kysely";
import type {
  AttemptOutcome,
  DomainConnectAttempt,
  DomainConnectGrant,
  DomainConnectKey,
} from "../../../domain/domain-connect/domain-connect.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { Tables } from "../../tables.ts";

export async function insertAttempt(tx: Tx, attempt: DomainConnectAttempt): Promise<void> {
  await tx
    .insertInto("domain_connect_attempts")
    .values({
      id: attempt.id,
      tenant_id: attempt.tenantId,
      environment: attempt.environment,
      connection_id: attempt.connectionId,
      mode: attempt.mode,
      state_hash: attempt.stateHash,
      redirect_uri: attempt.redirectUri,
      provider_id: attempt.providerId,
      provider_name: attempt.providerName,
      zone: attempt.zone,
      host: attempt.host,
      service_id: attempt.serviceId,
      key_label: attempt.keyLabel,
      created_at: attempt.createdAt,
      expires_at: attempt.expiresAt,
      returned_at: null,
      outcome: null,
      error: null,
    })
    .execute();
}

export async function selectAttemptByState(
  tx: Tx,
  stateHash: Buffer,
): Promise<DomainConnectAttempt | null> {
  const row = await tx
    .selectFrom("domain_connect_attempts")
    .selectAll()
    .where("state_hash", "=", stateHash)
    .executeTakeFirst();
  return row ? toAttempt(row) : null;
}

/** Consumes the state. False when it was consumed before or has expired: nothing is written. */
export async function closeAttempt(
  tx: Tx,
  id: string,
  end: { readonly outcome: AttemptOutcome; readonly error: string | null },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("domain_connect_attempts")
    .set({ returned_at: now, outcome: end.outcome, error: end.error })
    .where("id", "=", id)
    .where("returned_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What the exchange that follows a return came to. */
export async function failAttempt(tx: Tx, id: string, error: string): Promise<void> {
  await tx
    .updateTable("domain_connect_attempts")
    .set({ outcome: "failed", error })
    .where("id", "=", id)
    .execute();
}

export async function selectLastAttempt(
  tx: Tx,
  connectionId: string,
): Promise<DomainConnectAttempt | null> {
  const row = await tx
    .selectFrom("domain_connect_attempts")
    .selectAll()
    .where("connection_id", "=", connectionId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? toAttempt(row) : null;
}

/** Removes attempts that had expired before; answers how many. */
export async function sweepAttempts(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from domain_connect_attempts where id in (
    select id from domain_connect_attempts where expires_at < ${before} limit ${limit})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}

function toAttempt(row: Selectable<Tables["domain_connect_attempts"]>): DomainConnectAttempt {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    environment: row.environment,
    connectionId: row.connection_id,
    mode: row.mode,
    stateHash: row.state_hash,
    redirectUri: row.redirect_uri,
    providerId: row.provider_id,
    providerName: row.provider_name,
    zone: row.zone,
    host: row.host,
    serviceId: row.service_id,
    keyLabel: row.key_label,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    returnedAt: row.returned_at,
    outcome: row.outcome,
    error: row.error,
  };
}

/** One a connection: a new consent replaces the one before. */
export async function saveGrant(tx: Tx, grant: DomainConnectGrant): Promise<void> {
  const content = {
    provider_id: grant.providerId,
    provider_name: grant.providerName,
    zone: grant.zone,
    host: grant.host,
    service_id: grant.serviceId,
    sealed: grant.sealed,
    token_expires_at: grant.tokenExpiresAt,
    created_at: grant.createdAt,
    applied_at: grant.appliedAt,
  };
  await tx
    .insertInto("domain_connect_grants")
    .values({
      connection_id: grant.connectionId,
      tenant_id: grant.tenantId,
      environment: grant.environment,
      ...content,
    })
    .onConflict((conflict) => conflict.column("connection_id").doUpdateSet(content))
    .execute();
}

export async function selectGrant(
  tx: Tx,
  connectionId: string,
): Promise<DomainConnectGrant | null> {
  const row = await tx
    .selectFrom("domain_connect_grants")
    .selectAll()
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  return row ? toGrant(row) : null;
}

/** Fresh tokens of the same grant. */
export async function updateGrantTokens(
  tx: Tx,
  connectionId: string,
  tokens: { readonly sealed: string; readonly tokenExpiresAt: Date | null },
): Promise<void> {
  await tx
    .updateTable("domain_connect_grants")
    .set({ sealed: tokens.sealed, token_expires_at: tokens.tokenExpiresAt })
    .where("connection_id", "=", connectionId)
    .execute();
}

export async function noteGrantApplied(tx: Tx, connectionId: string, now: Date): Promise<void> {
  await tx
    .updateTable("domain_connect_grants")
    .set({ applied_at: now })
    .where("connection_id", "=", connectionId)
    .execute();
}

/** Gone at once, sealed tokens and all. */
export async function deleteGrant(tx: Tx, connectionId: string): Promise<void> {
  await tx.deleteFrom("domain_connect_grants").where("connection_id", "=", connectionId).execute();
}

/** Removes grants of connections that were archived before a time; answers how many. */
export async function sweepGrants(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from domain_connect_grants where connection_id in (
    select g.connection_id from domain_connect_grants g join connections c on c.id = g.connection_id
    where c.archived_at < ${before} limit ${limit})`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

function toGrant(row: Selectable<Tables["domain_connect_grants"]>): DomainConnectGrant {
  return {
    connectionId: row.connection_id,
    tenantId: row.tenant_id,
    environment: row.environment,
    providerId: row.provider_id,
    providerName: row.provider_name,
    zone: row.zone,
    host: row.host,
    serviceId: row.service_id,
    sealed: row.sealed,
    tokenExpiresAt: row.token_expires_at,
    createdAt: row.created_at,
    appliedAt: row.applied_at,
  };
}

/** Newest first, retired ones too. */
export async function selectDomainConnectKeys(tx: Tx): Promise<DomainConnectKey[]> {
  const rows = await tx
    .selectFrom("domain_connect_keys")
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    label: row.label,
    domain: row.domain,
    publicKey: row.public_key,
    sealed: row.sealed,
    createdAt: row.created_at,
    activatedAt: row.activated_at,
    retiredAt: row.retired_at,
  }));
}

export async function insertDomainConnectKey(tx: Tx, key: DomainConnectKey): Promise<void> {
  await tx
    .insertInto("domain_connect_keys")
    .values({
      id: key.id,
      label: key.label,
      domain: key.domain,
      public_key: key.publicKey,
      sealed: key.sealed,
      created_at: key.createdAt,
      activated_at: key.activatedAt,
      retired_at: key.retiredAt,
    })
    .execute();
}

/** The first time counts. */
export async function activateDomainConnectKey(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable("domain_connect_keys")
    .set({ activated_at: now })
    .where("id", "=", id)
    .where("activated_at", "is", null)
    .where("retired_at", "is", null)
    .execute();
}

export async function retireDomainConnectKey(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable("domain_connect_keys")
    .set({ retired_at: now })
    .where("id", "=", id)
    .where("retired_at", "is", null)
    .execute();
}
