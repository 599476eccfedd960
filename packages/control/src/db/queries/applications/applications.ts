import { type Selectable, sql } from "kysely";
import {
  type Application,
  defaultOriginTls,
  type Origin,
} from "../../../domain/applications/application.ts";
import type { TenantScope } from "../../../domain/tenancy.ts";
import { createLoader, type Loader } from "../../engine/loader.ts";
import type { Transactions, Tx } from "../../engine/transaction.ts";
import type { Tables } from "../../tables.ts";
import { unmovedConnections } from "../connections/connection-table.ts";
import { fetchPage, type Page, type PageRequest } from "../page.ts";

const columns = [
  "id",
  "tenant_id",
  "environment",
  "name",
  "allowed_origins",
  "record_template",
  "origin_url",
  "origin_host_header",
  "edge",
  "brand",
  "origins",
  "origin_tls",
  "wildcards",
  "proxied",
  "keep_oauth",
  "proofs",
  "created_at",
] as const;

export async function insertApplication(
  tx: Tx,
  application: Application,
  sealedClientKey: string | null = null,
): Promise<void> {
  await tx
    .insertInto("applications")
    .values({
      id: application.id,
      tenant_id: application.tenantId,
      environment: application.environment,
      name: application.name,
      allowed_origins: [...application.allowedOrigins],
      record_template: JSON.stringify(application.recordTemplate),
      origin_url: application.originUrl,
      origin_host_header: application.originHostHeader,
      edge: JSON.stringify(application.edge),
      brand: jsonOrNull(application.brand),
      origins: JSON.stringify(application.origins),
      origin_tls: JSON.stringify(application.originTls),
      sealed_client_key: sealedClientKey,
      wildcards: application.wildcards,
      proxied: application.proxied,
      keep_oauth: application.keepOAuth,
      proofs: [...application.proofs],
      created_at: application.createdAt,
    })
    .execute();
}

export async function selectApplication(tx: Tx, id: string): Promise<Application | null> {
  const row = await tx
    .selectFrom("applications")
    .select(columns)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? toApplication(row) : null;
}

/**
 * Applications whose connections are being checked; checks that run together share a round trip.
 */
export function applicationLoader({
  system,
}: Pick<Transactions, "system">): Loader<string, Application> {
  return createLoader({
    identify: (id) => id,
    fetch: async (ids) => {
      const rows = await system((tx) =>
        tx
          .selectFrom("applications")
          .select(columns)
          .where("id", "=", (eb) => eb.fn.any(eb.val(ids)))
          .execute(),
      );
      return rows.map((row) => [row.id, toApplication(row)] as const);
    },
  });
}

/** The same under a lock, for a change that depends on what is there. */
export async function lockApplication(tx: Tx, id: string): Promise<Application | null> {
  const row = await tx
    .selectFrom("applications")
    .select(columns)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ? toApplication(row) : null;
}

/** What an application can have many of. Revoked keys do not count. */
export type ApplicationPart = "api_keys" | "credentials" | "webhook_endpoints";

/**
 * Counts parts of an application under a lock on it, so that parallel requests cannot exceed a cap
 * together. Null when there is no such application.
 */
export async function countPartsLocked(
  tx: Tx,
  applicationId: string,
  part: ApplicationPart,
): Promise<number | null> {
  const application = await tx
    .selectFrom("applications")
    .select("id")
    .where("id", "=", applicationId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!application) return null;
  const query = tx
    .selectFrom(part)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("application_id", "=", applicationId);
  const counted = part === "api_keys" ? query.where(sql`revoked_at`, "is", null) : query;
  // Customers' sign-ins are as many as customers.
  if (part === "credentials") {
    const own = counted.where(sql`connection_ids`, "is", null);
    return (await own.executeTakeFirstOrThrow()).count;
  }
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** By id or by exact name; several when names repeat. */
export async function findApplications(
  tx: Tx,
  scope: TenantScope,
  idOrName: string,
): Promise<Application[]> {
  const rows = await tx
    .selectFrom("applications")
    .select(columns)
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment)
    .where((eb) => eb.or([eb("name", "=", idOrName), eb(sql`id::text`, "=", idOrName)]))
    .execute();
  return rows.map(toApplication);
}

/** The one with this id, else the oldest of this name. */
export async function findNamedApplication(
  tx: Tx,
  scope: TenantScope,
  id: string | null,
  name: string,
): Promise<Application | null> {
  const row = await tx
    .selectFrom("applications")
    .select(columns)
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment)
    .where((eb) => eb.or([eb("id", "=", id), eb("name", "=", name)]))
    .orderBy(sql`id is not distinct from ${id}`, "desc")
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row ? toApplication(row) : null;
}

/** A page by its number, oldest first, and how many there are; of one name when it is given. */
export async function numberApplications(
  tx: Tx,
  scope: TenantScope,
  name: string | null,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: readonly Application[]; readonly total: number }> {
  let query = tx
    .selectFrom("applications")
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment);
  if (name !== null) query = query.where("name", "=", name);
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await query
    .select(columns)
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
  return { items: rows.map(toApplication), total };
}

/**
 * The tenant and environment are in the policy too; naming them here lets the index serve the page.
 */
export async function pageApplications(
  tx: Tx,
  scope: TenantScope,
  page: PageRequest,
): Promise<Page<Application>> {
  const query = tx
    .selectFrom("applications")
    .select(columns)
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment);
  return fetchPage(query, page, toApplication);
}

export type ApplicationChanges = Partial<
  Pick<
    Application,
    | "name"
    | "allowedOrigins"
    | "recordTemplate"
    | "originUrl"
    | "origins"
    | "originHostHeader"
    | "originTls"
    | "edge"
    | "brand"
    | "wildcards"
    | "proxied"
    | "keepOAuth"
    | "proofs"
  >
> & {
  /** Null removes it. */
  readonly sealedClientKey?: string | null;
};

function originColumns(changes: ApplicationChanges) {
  return {
    ...(changes.originUrl === undefined ? {} : { origin_url: changes.originUrl }),
    ...(changes.originHostHeader ? { origin_host_header: changes.originHostHeader } : {}),
    ...(changes.origins ? { origins: JSON.stringify(changes.origins) } : {}),
    ...(changes.originTls ? { origin_tls: JSON.stringify(changes.originTls) } : {}),
    ...(changes.sealedClientKey === undefined
      ? {}
      : { sealed_client_key: changes.sealedClientKey }),
  };
}

/** Null when there is no such application for this tenant. */
export async function updateApplication(
  tx: Tx,
  id: string,
  changes: ApplicationChanges,
): Promise<Application | null> {
  const set = {
    ...(changes.name === undefined ? {} : { name: changes.name }),
    ...(changes.allowedOrigins ? { allowed_origins: [...changes.allowedOrigins] } : {}),
    ...(changes.recordTemplate ? { record_template: JSON.stringify(changes.recordTemplate) } : {}),
    ...originColumns(changes),
    ...(changes.edge ? { edge: JSON.stringify(changes.edge) } : {}),
    ...(changes.brand === undefined ? {} : { brand: jsonOrNull(changes.brand) }),
    ...(changes.wildcards === undefined ? {} : { wildcards: changes.wildcards }),
    ...(changes.proxied === undefined ? {} : { proxied: changes.proxied }),
    ...(changes.keepOAuth === undefined ? {} : { keep_oauth: changes.keepOAuth }),
    ...(changes.proofs === undefined ? {} : { proofs: [...changes.proofs] }),
  };
  if (Object.keys(set).length === 0) return selectApplication(tx, id);
  const row = await tx
    .updateTable("applications")
    .set(set)
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirst();
  return row ? toApplication(row) : null;
}

/** With its keys, receivers and credentials. False when it is not there, or deleted already. */
export async function markApplicationDeleted(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("applications")
    .set({ deleted_at: now })
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await tx
    .updateTable("api_keys")
    .set({ revoked_at: now })
    .where("application_id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
  await tx.deleteFrom("webhook_endpoints").where("application_id", "=", id).execute();
  await tx.deleteFrom("credentials").where("application_id", "=", id).execute();
  return true;
}

/** Asked after the application's row was written: the lock on it shows every connection. */
export async function hasOpenConnections(tx: Tx, applicationId: string): Promise<boolean> {
  const row = await tx
    .selectFrom(unmovedConnections)
    .select("id")
    .where("application_id", "=", applicationId)
    .where("state", "<>", "archived")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function toApplication(
  row: Pick<Selectable<Tables["applications"]>, (typeof columns)[number]>,
): Application {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    environment: row.environment,
    name: row.name,
    allowedOrigins: row.allowed_origins,
    recordTemplate: row.record_template,
    originUrl: row.origin_url,
    originHostHeader: row.origin_host_header,
    origins: currentOrigins(row),
    originTls: { ...defaultOriginTls, ...row.origin_tls },
    edge: row.edge,
    brand: row.brand,
    wildcards: row.wildcards,
    proxied: row.proxied,
    keepOAuth: row.keep_oauth,
    proofs: row.proofs,
    createdAt: row.created_at,
  };
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** A list that does not begin with the origin was written before that was changed. */
function currentOrigins({
  origin_url: url,
  origins,
}: Pick<Selectable<Tables["applications"]>, "origin_url" | "origins">): readonly Origin[] {
  if (url === null) return [];
  return origins[0]?.url === url ? origins : [{ url, weight: 1 }];
}
