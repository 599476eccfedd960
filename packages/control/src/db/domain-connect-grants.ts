import { type Selectable, sql } from "kysely";
import type { DomainConnectGrant } from "../domain/domain-connect.ts";
import type { Tables } from "./tables.ts";
import type { Tx } from "./transaction.ts";

/** One a connection: a new consent takes the place of the one before. */
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
