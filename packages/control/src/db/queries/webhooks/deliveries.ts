import { type Selectable, sql } from "kysely";
import type { TenantScope } from "../../../domain/tenancy.ts";
import type { Delivery, DeliveryStatus, EndpointFormat } from "../../../domain/webhooks/webhook.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { Tables } from "../../tables.ts";
import { announceDue } from "../connections/due-connections.ts";
import { fetchPage, type Page, type PageRequest } from "../page.ts";

const columns = [
  "id",
  "endpoint_id",
  "event_id",
  "event_type",
  "status",
  "attempts",
  "due_at",
  "leased_until",
  "replay_requested",
  "created_at",
] as const;

/**
 * Inserts one delivery for each active endpoint of the event's application that subscribes to its
 * type, in the event's own transaction.
 */
export async function fanOut(
  tx: Tx,
  event: {
    readonly id: string;
    readonly applicationId: string;
    readonly type: string;
    readonly at: Date;
  },
): Promise<void> {
  const { numAffectedRows } = await sql`
    insert into deliveries (id, tenant_id, environment, endpoint_id, event_id, event_type, status, due_at, created_at)
    select new_id(${event.at}), e.tenant_id, e.environment, e.id, ${event.id}, ${event.type}, 'pending', ${event.at}, ${event.at}
    from webhook_endpoints e
    where e.application_id = ${event.applicationId} and e.active
      and (e.events @> array['*'] or e.events @> array[${event.type}]::text[])
    for key share of e`.execute(tx);
  if (Number(numAffectedRows ?? 0n) > 0) announceDue(tx, "deliveries");
}

/**
 * A delivery to this one endpoint, whatever it subscribes to. Without `dueAt` it is only logged.
 */
export async function insertDelivery(
  tx: Tx,
  scope: TenantScope,
  delivery: {
    readonly id: string;
    readonly endpointId: string;
    readonly eventId: string;
    readonly eventType: string;
    readonly status: DeliveryStatus;
    readonly at: Date;
    readonly dueAt: Date | null;
  },
): Promise<void> {
  await tx
    .insertInto("deliveries")
    .values({
      id: delivery.id,
      tenant_id: scope.tenantId,
      environment: scope.environment,
      endpoint_id: delivery.endpointId,
      event_id: delivery.eventId,
      event_type: delivery.eventType,
      status: delivery.status,
      attempts: "[]",
      tries: 0,
      version: 0,
      due_at: delivery.dueAt,
      leased_until: null,
      replay_requested: false,
      created_at: delivery.at,
    })
    .execute();
  if (delivery.dueAt) announceDue(tx, "deliveries");
}

export async function pageDeliveries(
  tx: Tx,
  endpointId: string,
  page: PageRequest,
): Promise<Page<Delivery>> {
  const query = tx.selectFrom("deliveries").select(columns).where("endpoint_id", "=", endpointId);
  return fetchPage(query, page, toDelivery);
}

export interface DeliveryFilter {
  readonly status: DeliveryStatus | null;
  readonly endpointId: string | null;
  readonly connectionId: string | null;
  readonly hostname: string | null;
  readonly eventType: string | null;
}

export interface TenantDelivery extends Delivery {
  /** The connection that the event is about; null for an event of the application. */
  readonly connectionId: string | null;
  readonly hostname: string | null;
}

/**
 * Deliveries of all endpoints. The tenant is in the policy too; naming it here lets the index
 * serve.
 */
export async function pageTenantDeliveries(
  tx: Tx,
  scope: TenantScope,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<Page<TenantDelivery>> {
  let query = tx
    .selectFrom("deliveries")
    .select(columns)
    .select([connectionOfEvent, hostnameOfEvent])
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment);
  if (filter.status !== null) query = query.where("status", "=", filter.status);
  // The index leaves out what was delivered, which the planner sees by this alone.
  if (filter.status !== null && filter.status !== "delivered") {
    query = query.where("status", "<>", "delivered");
  }
  if (filter.endpointId !== null) query = query.where("endpoint_id", "=", filter.endpointId);
  if (filter.eventType !== null) query = query.where("event_type", "=", filter.eventType);
  const { connectionId } = filter;
  if (connectionId !== null) {
    query = query.where("event_id", "in", (eb) =>
      eb.selectFrom("events").select("id").where("connection_id", "=", connectionId),
    );
  }
  const { hostname } = filter;
  if (hostname !== null) {
    query = query.where("event_id", "in", (eb) =>
      eb
        .selectFrom("events")
        .innerJoin("connections", "connections.id", "events.connection_id")
        .select("events.id")
        .where("connections.hostname", "=", hostname),
    );
  }
  return fetchPage(query, page, (row) => ({
    ...toDelivery(row),
    connectionId: row.connection_id,
    hostname: row.hostname,
  }));
}

const connectionOfEvent = sql<
  string | null
>`(select e.connection_id from events e where e.id = deliveries.event_id)`.as("connection_id");

const hostnameOfEvent = sql<string | null>`(select c.hostname
    from events e join connections c on c.id = e.connection_id where e.id = deliveries.event_id)`.as(
  "hostname",
);

export interface DeliveryDetail extends TenantDelivery {
  /** The event, in the standard format. */
  readonly body: string;
  readonly format: EndpointFormat;
  /** As it is shown, without what may be a secret. */
  readonly url: string;
}

export async function selectDelivery(tx: Tx, id: string): Promise<DeliveryDetail | null> {
  const row = await tx
    .selectFrom("deliveries")
    .innerJoin("events", "events.id", "deliveries.event_id")
    .innerJoin("webhook_endpoints as w", "w.id", "deliveries.endpoint_id")
    .select(columns.map((column) => `deliveries.${column}` as const))
    .leftJoin("connections", "connections.id", "events.connection_id")
    .select(["events.connection_id", "events.body", "w.format", "connections.hostname"])
    .select((eb) => eb.fn.coalesce("w.masked_url", "w.url").as("url"))
    .where("deliveries.id", "=", id)
    .executeTakeFirst();
  if (!row) return null;
  const { connection_id: connectionId, hostname, body, format, url } = row;
  return { ...toDelivery(row), connectionId, hostname, body, format, url };
}

/**
 * Due again from the start of the retry table, with its log; after the attempt in flight if there
 * is one. Null when there is no such delivery.
 */
export async function replayDelivery(
  tx: Tx,
  endpointId: string,
  deliveryId: string,
  now: Date,
): Promise<Delivery | null> {
  const isInFlight = sql<boolean>`coalesce(leased_until > ${now}, false)`;
  const row = await tx
    .updateTable("deliveries")
    .set({
      status: "pending",
      tries: 0,
      due_at: now,
      replay_requested: isInFlight,
      version: sql<number>`version + case when ${isInFlight} then 0 else 1 end`,
    })
    .where("id", "=", deliveryId)
    .where("endpoint_id", "=", endpointId)
    .returning(columns)
    .executeTakeFirst();
  if (!row) return null;
  announceDue(tx, "deliveries");
  return toDelivery(row);
}

/**
 * Removes deliveries older than the log's retention that are finished or wait in vain; returns how
 * many.
 */
export async function sweepDeliveries(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from deliveries where id in (
    select id from deliveries where created_at < ${before} and (due_at is null or due_at < ${before})
    limit ${limit})`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

function toDelivery(
  row: Pick<Selectable<Tables["deliveries"]>, (typeof columns)[number]>,
): Delivery {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    status: row.status,
    attempts: row.attempts,
    // While an attempt is under way, a time is known only for what is to follow it.
    nextAttemptAt: row.leased_until === null || row.replay_requested ? row.due_at : null,
    createdAt: row.created_at,
  };
}
