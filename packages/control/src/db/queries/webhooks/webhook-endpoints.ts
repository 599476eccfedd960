import { type Selectable, sql } from "kysely";
import type { TenantScope } from "../../../domain/tenancy.ts";
import type {
  DisabledReason,
  EndpointHealth,
  WebhookEndpoint,
} from "../../../domain/webhooks/webhook.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { Tables } from "../../tables.ts";
import { fetchPage, type Page, type PageRequest } from "../page.ts";

const columns = [
  "id",
  "application_id",
  "url",
  "masked_url",
  "events",
  "format",
  "active",
  "disabled_reason",
  "created_at",
] as const;

/** The last replay since a time, while there is one on record. */
const replay = sql<StoredReplay | null>`(
  select jsonb_build_object('since', j.since, 'replayed', j.done, 'complete', j.finished_at is not null)
  from endpoint_jobs j where j.endpoint_id = webhook_endpoints.id and j.kind = 'replay'
  order by j.created_at desc limit 1)`.as("replay");

interface StoredReplay {
  readonly since: string;
  readonly replayed: number;
  readonly complete: boolean;
}

/** Where to send, as it is stored: `url` as it is, or sealed and with a form to show. */
export interface StoredUrl {
  readonly url: string;
  readonly sealed: string | null;
  readonly masked: string | null;
}

export async function insertEndpoint(
  tx: Tx,
  scope: TenantScope,
  endpoint: WebhookEndpoint,
  sealedSecret: string,
  address: StoredUrl,
): Promise<void> {
  await tx
    .insertInto("webhook_endpoints")
    .values({
      id: endpoint.id,
      tenant_id: scope.tenantId,
      environment: scope.environment,
      application_id: endpoint.applicationId,
      ...addressColumns(address),
      events: [...endpoint.events],
      format: endpoint.format,
      active: endpoint.active,
      disabled_reason: null,
      sealed_secret: sealedSecret,
      sealed_previous_secret: null,
      previous_until: null,
      failing_since: null,
      last_failed_at: null,
      created_at: endpoint.createdAt,
    })
    .execute();
}

export async function selectEndpoint(tx: Tx, id: string): Promise<WebhookEndpoint | null> {
  const row = await tx
    .selectFrom("webhook_endpoints")
    .select([...columns, replay])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? toEndpoint(row) : null;
}

export async function pageEndpoints(
  tx: Tx,
  scope: TenantScope,
  applicationId: string | null,
  page: PageRequest,
): Promise<Page<WebhookEndpoint>> {
  let query = tx
    .selectFrom("webhook_endpoints")
    .select([...columns, replay])
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment);
  if (applicationId) query = query.where("application_id", "=", applicationId);
  return fetchPage(query, page, toEndpoint);
}

function addressColumns({ url, sealed, masked }: StoredUrl) {
  return { url, sealed_url: sealed, masked_url: masked };
}

/** URLs that are stored as they are and may carry a secret; the caller decides. */
export async function selectPlainUrls(
  tx: Tx,
  after: string | null,
  limit: number,
): Promise<readonly { readonly id: string; readonly tenantId: string; readonly url: string }[]> {
  let query = tx
    .selectFrom("webhook_endpoints")
    .select(["id", "tenant_id as tenantId", "url"])
    .where("sealed_url", "is", null)
    .orderBy("id")
    .limit(limit);
  if (after !== null) query = query.where("id", ">", after);
  return query.execute();
}

/** Nothing happens when the URL was changed meanwhile. */
export async function sealPlainUrl(
  tx: Tx,
  id: string,
  before: string,
  address: StoredUrl,
): Promise<void> {
  await tx
    .updateTable("webhook_endpoints")
    .set(addressColumns(address))
    .where("id", "=", id)
    .where("url", "=", before)
    .where("sealed_url", "is", null)
    .execute();
}

export interface EndpointChanges {
  readonly address?: StoredUrl;
  readonly events?: WebhookEndpoint["events"];
  readonly format?: WebhookEndpoint["format"];
  readonly active?: boolean;
}

/** Enabling clears the reason for which it was disabled and the record of failures. */
export async function updateEndpoint(
  tx: Tx,
  id: string,
  changes: EndpointChanges,
): Promise<WebhookEndpoint | null> {
  if (changes.active !== undefined) await healthWith(tx, id, "for update");
  const row = await tx
    .updateTable("webhook_endpoints")
    .set({
      ...(changes.address === undefined ? {} : addressColumns(changes.address)),
      ...(changes.events ? { events: [...changes.events] } : {}),
      ...(changes.format ? { format: changes.format } : {}),
      ...(changes.active === undefined ? {} : { active: changes.active }),
      ...(changes.active
        ? { disabled_reason: null, failing_since: null, last_failed_at: null }
        : {}),
    })
    .where("id", "=", id)
    .returning([...columns, replay])
    .executeTakeFirst();
  return row ? toEndpoint(row) : null;
}

/**
 * Gone at once; a worker removes a long log under the job's id. False when there is no such
 * endpoint.
 */
export async function deleteEndpoint(
  tx: Tx,
  id: string,
  jobId: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ deleted: boolean }>`
    select delete_endpoint(${id}, ${jobId}, ${now}) as deleted`.execute(tx);
  return rows[0]?.deleted === true;
}

/** The new secret signs at once; the one before signs too until the given time. */
export async function rotateEndpointSecret(
  tx: Tx,
  id: string,
  rotation: {
    readonly sealed: string;
    readonly previous: string;
    readonly previousUntil: Date;
  },
): Promise<void> {
  await tx
    .updateTable("webhook_endpoints")
    .set({
      sealed_secret: rotation.sealed,
      sealed_previous_secret: rotation.previous,
      previous_until: rotation.previousUntil,
    })
    .where("id", "=", id)
    .execute();
}

/** Read to be rotated: two rotations at once happen one after the other. */
export async function lockEndpointSecret(tx: Tx, id: string): Promise<string | null> {
  const row = await tx
    .selectFrom("webhook_endpoints")
    .select("sealed_secret")
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row?.sealed_secret ?? null;
}

/**
 * Enabling and disabling an endpoint takes the row's full lock. A transaction that relies on its
 * being enabled, to add a delivery or to make one due again, shares the row: many can at once, and
 * none while it is switched. Always taken before a delivery's own row.
 */
export function shareEndpointHealth(tx: Tx, id: string): Promise<EndpointHealth | null> {
  return healthWith(tx, id, "for key share");
}

/** To switch it off. Taken first of all: two who share the row would wait for each other. */
export function lockEndpointHealth(tx: Tx, id: string): Promise<EndpointHealth | null> {
  return healthWith(tx, id, "for update");
}

export function readEndpointHealth(tx: Tx, id: string): Promise<EndpointHealth | null> {
  return healthWith(tx, id, "");
}

async function healthWith(
  tx: Tx,
  id: string,
  lock: "" | "for key share" | "for update",
): Promise<EndpointHealth | null> {
  const { rows } = await sql<Selectable<Tables["webhook_endpoints"]>>`
    select active, failing_since, last_failed_at from webhook_endpoints where id = ${id}
    ${sql.raw(lock)}`.execute(tx);
  const [row] = rows;
  if (!row) return null;
  const { active, failing_since: failingSince, last_failed_at: lastFailedAt } = row;
  return { active, failingSince, lastFailedAt };
}

/**
 * How it fares, as of one of the attempts that end now: those of a busy endpoint do not queue for
 * its row, which would hold up everything that waits for them.
 */
export async function updateEndpointHealth(
  tx: Tx,
  id: string,
  health: Pick<EndpointHealth, "failingSince" | "lastFailedAt">,
): Promise<void> {
  await sql`update webhook_endpoints
    set failing_since = ${health.failingSince}, last_failed_at = ${health.lastFailedAt}
    where id = (select id from webhook_endpoints where id = ${id} for no key update skip locked)`.execute(
    tx,
  );
}

export async function disableEndpoint(tx: Tx, id: string, reason: DisabledReason): Promise<void> {
  await tx
    .updateTable("webhook_endpoints")
    .set({ active: false, disabled_reason: reason })
    .where("id", "=", id)
    .execute();
}

function toEndpoint(
  row: Pick<Selectable<Tables["webhook_endpoints"]>, (typeof columns)[number]> & {
    readonly replay: StoredReplay | null;
  },
): WebhookEndpoint {
  return {
    id: row.id,
    applicationId: row.application_id,
    url: row.masked_url ?? row.url,
    events: row.events,
    format: row.format,
    active: row.active,
    disabledReason: row.disabled_reason,
    replay: row.replay && { ...row.replay, since: new Date(row.replay.since) },
    createdAt: row.created_at,
  };
}
