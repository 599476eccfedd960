import { z } from "zod";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  type DeliveryDetail,
  insertDelivery,
  pageDeliveries,
  pageTenantDeliveries,
  replayDelivery,
  selectDelivery,
  type TenantDelivery,
} from "../../db/queries/webhooks/deliveries.ts";
import { insertApplicationEvent } from "../../db/queries/webhooks/events.ts";
import { AppError, notFound } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { cloudflareNotification } from "../../domain/webhooks/cloudflare-notification.ts";
import { testEventType } from "../../domain/webhooks/event.ts";
import {
  type Delivery,
  deliveryStatuses,
  type EndpointReplay,
} from "../../domain/webhooks/webhook.ts";
import { audit, type ServiceContext } from "../context.ts";
import { type Listing, type PageQuery, pageQuery, readPage } from "../paging.ts";
import { startReplay } from "./endpoint-jobs.ts";
import { type ReplaySince, requireEndpoint } from "./endpoints.ts";

export type { DeliveryDetail, TenantDelivery } from "../../db/queries/webhooks/deliveries.ts";

/** The delivery log of an endpoint: every delivery with all its attempts. */
export function listDeliveries(
  ctx: ServiceContext,
  endpointId: string,
  query: PageQuery,
): Promise<Listing<Delivery>> {
  return readPage(ctx, ["deliveries", endpointId], query, async (tx, page) => {
    const endpoint = await requireEndpoint(tx, endpointId);
    const found = await pageDeliveries(tx, endpointId, page);
    // While it is off nothing is attempted, except test events.
    const isOff = ({ eventType }: Delivery) => !endpoint.active && eventType !== testEventType;
    const shown = (delivery: Delivery) =>
      isOff(delivery) ? { ...delivery, nextAttemptAt: null } : delivery;
    return { ...found, items: found.items.map(shown) };
  });
}

export const ListAllDeliveries = z.strictObject({
  status: z.enum(deliveryStatuses).optional(),
  endpoint_id: z.uuid().optional(),
  connection_id: z.uuid().optional(),
  hostname: z.string().min(1).max(255).optional().describe("Only those about this domain"),
  event_type: z.string().min(1).max(100).optional(),
  ...pageQuery,
});
export type ListAllDeliveries = z.infer<typeof ListAllDeliveries>;

/** The deliveries of all endpoints. */
export function listAllDeliveries(
  ctx: ServiceContext,
  query: ListAllDeliveries,
): Promise<Listing<TenantDelivery>> {
  const filter = {
    status: query.status ?? null,
    endpointId: query.endpoint_id ?? null,
    connectionId: query.connection_id ?? null,
    hostname: query.hostname?.toLowerCase() ?? null,
    eventType: query.event_type ?? null,
  };
  return readPage(ctx, ["all-deliveries", ...Object.values(filter)], query, (tx, page) =>
    pageTenantDeliveries(tx, ctx.actor, filter, page),
  );
}

/** One delivery with what was sent. */
export async function getDelivery(ctx: ServiceContext, id: string): Promise<DeliveryDetail> {
  const delivery = await ctx.read((tx) => selectDelivery(tx, id));
  if (!delivery) throw notFound("delivery");
  if (delivery.format === "standard") return delivery;
  const { tenantId } = ctx.actor;
  return { ...delivery, body: cloudflareNotification(delivery.body, { tenantId, ...delivery }) };
}

/** Sends the same event again, with the same id and bytes and a new signature. */
export function replayOne(
  ctx: ServiceContext,
  endpointId: string,
  deliveryId: string,
): Promise<Delivery> {
  return ctx.write(async (tx) => {
    await requireActive(tx, endpointId);
    const delivery = await replayDelivery(tx, endpointId, deliveryId, ctx.now());
    if (!delivery) throw notFound("delivery");
    await audit(ctx, tx, "delivery.replay", deliveryId, { endpoint_id: endpointId });
    return delivery;
  });
}

/**
 * Sends every event since a time that the endpoint subscribes to, also those it never got. Many are
 * queued in pieces after the request.
 */
export function replayAll(
  ctx: ServiceContext,
  endpointId: string,
  input: ReplaySince,
): Promise<EndpointReplay> {
  return ctx.write(async (tx) => {
    await requireActive(tx, endpointId);
    const replay = await startReplay(ctx, tx, endpointId, {
      since: new Date(input.since),
      eventType: input.event_type ?? null,
      isFailedOnly: input.failed_only === true,
    });
    const { replayed } = replay;
    await audit(ctx, tx, "webhook_endpoint.replay", endpointId, { ...input, replayed });
    return replay;
  });
}

/** A replay to an endpoint that is switched off would wait until it is switched on. */
async function requireActive(tx: Tx, endpointId: string): Promise<void> {
  const endpoint = await requireEndpoint(tx, endpointId);
  if (!endpoint.active) {
    throw new AppError("conflict", "the webhook endpoint is switched off: switch it on first");
  }
}

/**
 * Sends a test event to this endpoint, whatever it subscribes to and even while it is switched off.
 */
export function sendTest(ctx: ServiceContext, id: string): Promise<Delivery> {
  return ctx.write(async (tx) => {
    const endpoint = await requireEndpoint(tx, id);
    const at = ctx.now();
    const { applicationId } = endpoint;
    const type = testEventType;
    const delivery = {
      id: newId(at),
      endpointId: id,
      eventId: await insertApplicationEvent(tx, ctx.actor, {
        type,
        applicationId,
        at,
        connection: null,
        data: {},
      }),
      eventType: type,
      status: "pending" as const,
    };
    await insertDelivery(tx, ctx.actor, { ...delivery, at, dueAt: at });
    await audit(ctx, tx, "webhook_endpoint.test", id);
    return { ...delivery, attempts: [], nextAttemptAt: at, createdAt: at };
  });
}
