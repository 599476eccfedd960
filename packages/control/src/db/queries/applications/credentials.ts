import { type Selectable, sql } from "kysely";
import type { Credential } from "../../../domain/applications/application.ts";
import type { CredentialHealth } from "../../../domain/applications/credential-health.ts";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { FailingCredential } from "../../../domain/diagnosis/facts.ts";
import type { TenantScope } from "../../../domain/tenancy.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { Tables } from "../../tables.ts";
import { fetchPage, type Page, type PageRequest } from "../page.ts";

const columns = [
  "id",
  "application_id",
  "provider",
  "name",
  "zone",
  "last4",
  "last_used_at",
  "last_error",
  "connection_ids",
  "created_at",
] as const;

export async function insertCredential(
  tx: Tx,
  scope: TenantScope,
  credential: Credential,
  sealed: string,
  refreshAt: Date | null = null,
): Promise<void> {
  await tx
    .insertInto("credentials")
    .values({
      id: credential.id,
      tenant_id: scope.tenantId,
      environment: scope.environment,
      application_id: credential.applicationId,
      provider: credential.provider,
      name: credential.name,
      zone: credential.zone,
      sealed,
      last4: credential.last4,
      created_at: credential.createdAt,
      connection_ids: credential.connectionIds === null ? null : [...credential.connectionIds],
      refresh_at: refreshAt,
      last_used_at: null,
      last_error: null,
      refused_at: null,
    })
    .execute();
}

export async function pageCredentials(
  tx: Tx,
  applicationId: string,
  page: PageRequest,
): Promise<Page<Credential>> {
  const query = tx
    .selectFrom("credentials")
    .select(columns)
    .where("application_id", "=", applicationId);
  return fetchPage(query, page, toCredential);
}

/**
 * Gone at once, sealed secret and all; it is returned as it was. Null when there is no such
 * credential.
 */
export async function deleteCredential(
  tx: Tx,
  applicationId: string,
  credentialId: string,
): Promise<SealedCredential | null> {
  const row = await tx
    .deleteFrom("credentials")
    .where("id", "=", credentialId)
    .where("application_id", "=", applicationId)
    .returning(sealedColumns)
    .executeTakeFirst();
  return row ? toSealed(row) : null;
}

function toCredential(
  row: Pick<Selectable<Tables["credentials"]>, (typeof columns)[number]>,
): Credential {
  return {
    id: row.id,
    applicationId: row.application_id,
    provider: row.provider,
    name: row.name,
    zone: row.zone,
    last4: row.last4,
    lastUsedAt: row.last_used_at,
    lastError: row.last_error,
    connectionIds: row.connection_ids,
    createdAt: row.created_at,
  };
}

export interface SealedCredential extends Credential {
  readonly sealed: string;
  /** When the provider last refused it; null since it was last accepted. */
  readonly refusedAt: Date | null;
  /** When the token of a sign-in is to be refreshed; null where it does not end. */
  readonly refreshAt: Date | null;
}

const sealedColumns = [...columns, "sealed", "refused_at", "refresh_at"] as const;

/**
 * The credentials that may be used for a connection with their sealed secrets, newest first; for
 * the writer alone. `own`: only what its customer's sign-in gave.
 */
export async function selectSealedCredentials(
  tx: Tx,
  { id, applicationId }: Pick<Connection, "id" | "applicationId">,
  which: "all" | "own",
): Promise<SealedCredential[]> {
  const isOwn = sql<boolean>`connection_ids @> array[${id}]::uuid[]`;
  const rows = await tx
    .selectFrom("credentials")
    .select(sealedColumns)
    .where("application_id", "=", applicationId)
    .where((eb) => (which === "own" ? isOwn : eb.or([eb("connection_ids", "is", null), isOwn])))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(toSealed);
}

export async function selectSealedCredential(
  tx: Tx,
  applicationId: string,
  credentialId: string,
): Promise<SealedCredential | null> {
  const row = await tx
    .selectFrom("credentials")
    .select(sealedColumns)
    .where("application_id", "=", applicationId)
    .where("id", "=", credentialId)
    .executeTakeFirst();
  return row ? toSealed(row) : null;
}

function toSealed(
  row: Pick<Selectable<Tables["credentials"]>, (typeof sealedColumns)[number]>,
): SealedCredential {
  const { sealed, refused_at: refusedAt, refresh_at: refreshAt } = row;
  return { ...toCredential(row), sealed, refusedAt, refreshAt };
}

/** A credential's health with what an event about it says. */
export interface StoredHealth extends CredentialHealth, TenantScope {
  readonly applicationId: string;
  readonly provider: string;
  readonly name: string;
}

/** Read for update, so that uses are noted one after the other; null when it was deleted. */
export async function lockCredentialHealth(
  tx: Tx,
  credentialId: string,
): Promise<StoredHealth | null> {
  const row = await tx
    .selectFrom("credentials")
    .select(["tenant_id", "environment", "application_id", "provider", "name"])
    .select(["failing_since", "failure_reported_at"])
    .where("id", "=", credentialId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return null;
  return {
    tenantId: row.tenant_id,
    environment: row.environment,
    applicationId: row.application_id,
    provider: row.provider,
    name: row.name,
    failingSince: row.failing_since,
    reportedAt: row.failure_reported_at,
  };
}

/** Notes a use and how it went; one that went well clears what was noted before. */
export async function noteCredentialUse(
  tx: Tx,
  credentialId: string,
  now: Date,
  use: {
    readonly failure: { readonly message: string; readonly isRefusal: boolean } | null;
    readonly health: CredentialHealth;
  },
): Promise<void> {
  const { failure, health } = use;
  const refusal = failure === null ? { refused_at: null } : {};
  await tx
    .updateTable("credentials")
    .set({
      last_used_at: now,
      last_error: failure?.message ?? null,
      ...(failure?.isRefusal ? { refused_at: now } : refusal),
      failing_since: health.failingSince,
      failure_reported_at: health.reportedAt,
    })
    .where("id", "=", credentialId)
    .execute();
}

export async function touchCredential(tx: Tx, credentialId: string, now: Date): Promise<void> {
  await tx
    .updateTable("credentials")
    .set({ last_used_at: now })
    .where("id", "=", credentialId)
    .execute();
}

/** The credentials for a connection that their provider refuses, newest first. */
export async function selectFailingCredentials(
  tx: Tx,
  { id, applicationId }: Pick<Connection, "id" | "applicationId">,
  which: "all" | "own",
): Promise<(FailingCredential & Pick<Credential, "zone">)[]> {
  const isOwn = sql<boolean>`connection_ids @> array[${id}]::uuid[]`;
  const rows = await tx
    .selectFrom("credentials")
    .select(["provider", "name", "zone", "last_error", "failing_since"])
    .where("application_id", "=", applicationId)
    .where((eb) => (which === "own" ? isOwn : eb.or([eb("connection_ids", "is", null), isOwn])))
    .where("failing_since", "is not", null)
    .orderBy("created_at", "desc")
    .execute();
  return rows.flatMap(({ provider, name, zone, last_error: lastError, failing_since }) =>
    failing_since === null
      ? []
      : [{ provider, name, zone, lastError, failingSince: failing_since }],
  );
}
