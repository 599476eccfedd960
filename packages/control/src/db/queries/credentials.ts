import type { Selectable } from "kysely";
import type { Credential } from "../../domain/application.ts";
import type { CredentialHealth } from "../../domain/credential-health.ts";
import type { FailingCredential } from "../../domain/diagnosis/facts.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import type { Tx } from "../engine/transaction.ts";
import type { Tables } from "../tables.ts";
import { fetchPage, type Page, type PageRequest } from "./page.ts";

const columns = [
  "id",
  "application_id",
  "provider",
  "name",
  "zone",
  "last4",
  "last_used_at",
  "last_error",
  "created_at",
] as const;

export async function insertCredential(
  tx: Tx,
  scope: TenantScope,
  credential: Credential,
  sealed: string,
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

/** Gone at once, sealed secret and all. False when there is no such credential. */
export async function deleteCredential(
  tx: Tx,
  applicationId: string,
  credentialId: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("credentials")
    .where("id", "=", credentialId)
    .where("application_id", "=", applicationId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
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
    createdAt: row.created_at,
  };
}

export interface SealedCredential extends Credential {
  readonly sealed: string;
  /** When the provider last refused it; null since it was last accepted. */
  readonly refusedAt: Date | null;
}

const sealedColumns = [...columns, "sealed", "refused_at"] as const;

/** An application's credentials with their sealed secrets, newest first; for the writer alone. */
export async function selectSealedCredentials(
  tx: Tx,
  applicationId: string,
): Promise<SealedCredential[]> {
  const rows = await tx
    .selectFrom("credentials")
    .select(sealedColumns)
    .where("application_id", "=", applicationId)
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
  return { ...toCredential(row), sealed: row.sealed, refusedAt: row.refused_at };
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

/** The credentials of an application that their provider refuses, newest first. */
export async function selectFailingCredentials(
  tx: Tx,
  applicationId: string,
): Promise<(FailingCredential & Pick<Credential, "zone">)[]> {
  const rows = await tx
    .selectFrom("credentials")
    .select(["provider", "name", "zone", "last_error", "failing_since"])
    .where("application_id", "=", applicationId)
    .where("failing_since", "is not", null)
    .orderBy("created_at", "desc")
    .execute();
  return rows.flatMap(({ provider, name, zone, last_error: lastError, failing_since }) =>
    failing_since === null
      ? []
      : [{ provider, name, zone, lastError, failingSince: failing_since }],
  );
}
