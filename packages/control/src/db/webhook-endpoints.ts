import type { Selectable } from "kysely";
import type { TenantScope } from "../domain/tenancy.ts";
import type { DisabledReason, EndpointStanding, WebhookEndpoint } from "../domain/webhook.ts";
import { afterPosition, type Page, type PageRequest, toPage } from "./page.ts";
import type { Tables } from "./tables.ts";
import type { Tx } from "./transaction.ts";

const columns = [
  "id",
  "application_id",
  "url",
  "events",
  "active",
  "disabled_reason",
  "created_at",
] as const;

export async function insertEndpoint(
  tx: Tx,
  scope: TenantScope,
  endpoint: WebhookEndpoint,
  sealedSecret: string,
): Promise<void> {
  await tx
    .insertInto("webhook_endpoints")
    .values({
      id: endpoint.id,
      tenant_id: scope.tenantId,
      environment: scope.environment,
      application_id: endpoint.applicationId,
      url: endpoint.url,
      events: [...endpoint.events],
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
    .select(columns)
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
    .select(columns)
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment);
  if (applicationId) query = query.where("application_id", "=", applicationId);
  if (page.after) query = query.where(afterPosition(page.after));
  const rows = await query
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(rows, page.limit, toEndpoint);
}

export interface EndpointChanges {
  readonly url?: string;
  readonly events?: WebhookEndpoint["events"];
  readonly active?: boolean;
}

/** Switching it on forgets why it was off. */
export async function updateEndpoint(
  tx: Tx,
  id: string,
  changes: EndpointChanges,
): Promise<WebhookEndpoint | null> {
  const row = await tx
    .updateTable("webhook_endpoints")
    .set({
      ...(changes.url === undefined ? {} : { url: changes.url }),
      ...(changes.events ? { events: [...changes.events] } : {}),
      ...(changes.active === undefined ? {} : { active: changes.active }),
      ...(changes.active
        ? { disabled_reason: null, failing_since: null, last_failed_at: null }
        : {}),
    })
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirst();
  return row ? toEndpoint(row) : null;
}

export async function deleteEndpoint(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("webhook_endpoints")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
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

/** Read to be written with the outcome of an attempt; always before the delivery's own row. */
export async function lockEndpointStanding(tx: Tx, id: string): Promise<EndpointStanding | null> {
  const row = await tx
    .selectFrom("webhook_endpoints")
    .select(["active", "failing_since", "last_failed_at"])
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) return null;
  const { active, failing_since: failingSince, last_failed_at: lastFailedAt } = row;
  return { active, failingSince, lastFailedAt };
}

export async function noteEndpointSuccess(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable("webhook_endpoints")
    .set({ failing_since: null, last_failed_at: null })
    .where("id", "=", id)
    .execute();
}

export async function noteEndpointFailure(
  tx: Tx,
  id: string,
  failure: {
    readonly since: Date;
    readonly now: Date;
    readonly disables: DisabledReason | null;
  },
): Promise<void> {
  await tx
    .updateTable("webhook_endpoints")
    .set({
      failing_since: failure.since,
      last_failed_at: failure.now,
      ...(failure.disables ? { active: false, disabled_reason: failure.disables } : {}),
    })
    .where("id", "=", id)
    .execute();
}

function toEndpoint(
  row: Pick<Selectable<Tables["webhook_endpoints"]>, (typeof columns)[number]>,
): WebhookEndpoint {
  return {
    id: row.id,
    applicationId: row.application_id,
    url: row.url,
    events: row.events,
    active: row.active,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
  };
}
