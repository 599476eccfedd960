import type { Selectable } from "kysely";
import type { Credential } from "../../domain/application.ts";
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

/** Notes a use and how it went; one that went well clears what was noted before. */
export async function noteCredentialUse(
  tx: Tx,
  credentialId: string,
  now: Date,
  failure: { readonly message: string; readonly isRefusal: boolean } | null,
): Promise<void> {
  const refusal = failure === null ? { refused_at: null } : {};
  await tx
    .updateTable("credentials")
    .set({
      last_used_at: now,
      last_error: failure?.message ?? null,
      ...(failure?.isRefusal ? { refused_at: now } : refusal),
    })
    .where("id", "=", credentialId)
    .execute();
}
