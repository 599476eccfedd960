import type { Selectable } from "kysely";
import type { ApiKey } from "../../../domain/applications/api-key.ts";
import type { Role } from "../../../domain/people/role.ts";
import {
  type Environment,
  isScope,
  type KeyActor,
  type TenantScope,
} from "../../../domain/tenancy.ts";
import { createLoader, type Loader } from "../../engine/loader.ts";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { Tables } from "../../tables.ts";
import { fetchPage, type Page, type PageRequest } from "../page.ts";

const columns = [
  "id",
  "application_id",
  "environment",
  "name",
  "last4",
  "scopes",
  "created_at",
  "created_by",
  "created_by_name",
  "last_used_at",
  "revoked_at",
] as const;

type KeyRow = Pick<Selectable<Tables["api_keys"]>, (typeof columns)[number]>;

export async function insertApiKey(
  tx: Tx,
  tenantId: string,
  key: ApiKey,
  hash: Buffer,
  role: Role | null = null,
): Promise<void> {
  await tx
    .insertInto("api_keys")
    .values({
      id: key.id,
      tenant_id: tenantId,
      environment: key.environment,
      application_id: key.applicationId,
      name: key.name,
      key_hash: hash,
      last4: key.last4,
      scopes: [...key.scopes],
      role,
      created_at: key.createdAt,
      created_by: key.createdBy,
      created_by_name: key.createdByName,
      last_used_at: null,
      revoked_at: null,
    })
    .execute();
}

export async function pageApiKeys(
  tx: Tx,
  applicationId: string,
  page: PageRequest,
): Promise<Page<ApiKey>> {
  const query = tx
    .selectFrom("api_keys")
    .select(columns)
    .where("application_id", "=", applicationId);
  return fetchPage(query, page, toApiKey);
}

/** The newest key of the tenant in the environment that is not revoked. */
export async function selectNewestKey(
  tx: Tx,
  { tenantId, environment }: TenantScope,
): Promise<string | null> {
  const row = await tx
    .selectFrom("api_keys")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("environment", "=", environment)
    .where("revoked_at", "is", null)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Sets `revoked_at` once: a second revoke does not change it. Null when there is no such key. */
export async function revokeApiKey(
  tx: Tx,
  applicationId: string,
  keyId: string,
  now: Date,
): Promise<ApiKey | null> {
  const row = await tx
    .updateTable("api_keys")
    .set((eb) => ({ revoked_at: eb.fn.coalesce("revoked_at", eb.val(now)) }))
    .where("id", "=", keyId)
    .where("application_id", "=", applicationId)
    .returning(columns)
    .executeTakeFirst();
  return row ? toApiKey(row) : null;
}

interface FoundKey {
  readonly key_hash: Buffer;
  readonly id: string;
  readonly tenant_id: string;
  readonly environment: "test" | "live";
  readonly application_id: string;
  readonly scopes: string[];
  readonly role: Role | null;
  readonly suspended: boolean;
}

/** The caller behind a key hash. A lookup sees every revocation committed before it began. */
export function keyLookup(database: Database): Loader<Buffer, KeyActor> {
  return createLoader({
    identify: (hash) => hash.toString("latin1"),
    fetch: async (hashes) => {
      const rows = await database.prepared<FoundKey>(
        {
          name: "find_api_keys",
          text: "select key_hash, id, tenant_id, environment, application_id, scopes, role, suspended from find_api_keys($1)",
        },
        [hashes],
      );
      return rows.map((row) => [row.key_hash.toString("latin1"), toActor(row)] as const);
    },
  });
}

/** Moves `last_used_at` forward for many keys in one statement. */
export async function touchApiKeys(
  database: Database,
  uses: ReadonlyMap<string, Date>,
): Promise<void> {
  await database.prepared({ name: "touch_api_keys", text: "select touch_api_keys($1, $2)" }, [
    [...uses.keys()],
    [...uses.values()],
  ]);
}

function toActor(row: FoundKey): KeyActor {
  return {
    kind: "key",
    keyId: row.id,
    tenantId: row.tenant_id,
    environment: row.environment,
    applicationId: row.application_id,
    scopes: row.scopes.filter(isScope),
    role: row.role,
    isSuspended: row.suspended,
  };
}

function toApiKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    applicationId: row.application_id,
    environment: row.environment,
    name: row.name,
    last4: row.last4,
    scopes: row.scopes,
    createdAt: row.created_at,
    createdBy: row.created_by,
    createdByName: row.created_by_name,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}

/** What a widget token needs besides its signature: a valid minting key and its application. */
export interface WidgetGrant {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly allowedOrigins: readonly string[];
  readonly isSuspended: boolean;
}

export interface GrantQuestion {
  readonly keyId: string;
  readonly applicationId: string;
}

/** Absent when the minting key is revoked or the application is not its tenant's. */
export function widgetGrantLookup(database: Database): Loader<GrantQuestion, WidgetGrant> {
  return createLoader({
    identify: (question) => `${question.keyId}/${question.applicationId}`,
    fetch: async (questions) => {
      const rows = await database.prepared<{
        key_id: string;
        application_id: string;
        tenant_id: string;
        environment: Environment;
        allowed_origins: string[];
        suspended: boolean;
      }>(
        {
          name: "find_widget_grants",
          text: "select key_id, application_id, tenant_id, environment, allowed_origins, suspended from find_widget_grants($1, $2)",
        },
        [
          questions.map((question) => question.keyId),
          questions.map((question) => question.applicationId),
        ],
      );
      return rows.map((row) => [
        `${row.key_id}/${row.application_id}`,
        {
          tenantId: row.tenant_id,
          environment: row.environment,
          allowedOrigins: row.allowed_origins,
          isSuspended: row.suspended,
        },
      ]);
    },
  });
}

export async function originIsListed(database: Database, origin: string): Promise<boolean> {
  const rows = await database.prepared<{ listed: boolean }>(
    { name: "origin_is_listed", text: "select origin_is_listed($1) as listed" },
    [origin],
  );
  return rows[0]?.listed === true;
}
