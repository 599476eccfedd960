import { type Selectable, sql } from "kysely";
import type { AttemptOutcome, DomainConnectAttempt } from "../domain/domain-connect.ts";
import type { Tables } from "./tables.ts";
import type { Tx } from "./transaction.ts";

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

/** Uses the state up. False when somebody else has, or when its time is over: nothing is written. */
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

/** Removes attempts whose time was over before; answers how many. */
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
