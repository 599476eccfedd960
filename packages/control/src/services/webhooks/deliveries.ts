import type { Tx } from "../../db/engine/transaction.ts";
import {
  insertDelivery,
  pageDeliveries,
  replayDelivery,
  replaySince,
  sweepDeliveries,
} from "../../db/queries/deliveries.ts";
import { insertEndpointEvent, sweepEvents } from "../../db/queries/events.ts";
import { AppError, notFound } from "../../domain/errors.ts";
import { testEventType } from "../../domain/event.ts";
import { newId } from "../../domain/id.ts";
import type { Delivery } from "../../domain/webhook.ts";
import { audit, type ServiceContext } from "../context.ts";
import { type Listing, listPage, type PageQuery } from "../paging.ts";
import type { Runtime } from "../runtime.ts";
import { type ReplaySince, requireEndpoint } from "./endpoints.ts";

/** The log of an endpoint: every delivery with every attempt. */
export function listDeliveries(
  ctx: ServiceContext,
  endpointId: string,
  query: PageQuery,
): Promise<Listing<Delivery>> {
  return listPage(ctx, ["deliveries", endpointId], query, (page) =>
    ctx.read(async (tx) => {
      await requireEndpoint(tx, endpointId);
      return pageDeliveries(tx, endpointId, page);
    }),
  );
}

/** The same event with the same id and bytes once more, signed anew. */
export function replayOne(
  ctx: ServiceContext,
  endpointId: string,
  deliveryId: string,
): Promise<Delivery> {
  return ctx.write(async (tx) => {
    await requireActive(tx, endpointId);
    const delivery = await replayDelivery(tx, endpointId, deliveryId, ctx.now());
    if (!delivery) throw notFound("delivery");
    return delivery;
  });
}

/** Everything since a time that the endpoint subscribes to, also what it never got. */
export function replayAll(
  ctx: ServiceContext,
  endpointId: string,
  input: ReplaySince,
): Promise<number> {
  return ctx.write(async (tx) => {
    await requireActive(tx, endpointId);
    const replayed = await replaySince(tx, endpointId, new Date(input.since), ctx.now());
    await audit(ctx, tx, "webhook_endpoint.replay", endpointId, { since: input.since, replayed });
    return replayed;
  });
}

/** What is asked for would wait for nobody knows how long. */
async function requireActive(tx: Tx, endpointId: string): Promise<void> {
  const endpoint = await requireEndpoint(tx, endpointId);
  if (!endpoint.active) {
    throw new AppError("conflict", "the webhook endpoint is switched off: switch it on first");
  }
}

/** Sends a made-up event to this endpoint, whatever it subscribes to and even while it is off. */
export function sendTest(ctx: ServiceContext, id: string): Promise<Delivery> {
  return ctx.write(async (tx) => {
    const endpoint = await requireEndpoint(tx, id);
    const at = ctx.now();
    const { applicationId } = endpoint;
    const type = testEventType;
    const delivery = {
      id: newId(at),
      endpointId: id,
      eventId: await insertEndpointEvent(tx, ctx.actor, { type, applicationId, at, data: {} }),
      eventType: type,
      status: "pending" as const,
    };
    await insertDelivery(tx, ctx.actor, { ...delivery, at, dueAt: at });
    return { ...delivery, attempts: [], nextAttemptAt: at, createdAt: at };
  });
}

const keptMs = 30 * 24 * 3_600_000;
const batch = 1_000;

/** Removes the log, and the events themselves, 30 days after; what is still to be sent stays. */
export async function sweepWebhookLog(runtime: Runtime): Promise<void> {
  const before = new Date(runtime.clock.now().getTime() - keptMs);
  await untilNone(runtime, (tx) => sweepDeliveries(tx, before, batch));
  await untilNone(runtime, (tx) => sweepEvents(tx, before, batch));
}

async function untilNone(runtime: Runtime, sweep: (tx: Tx) => Promise<number>): Promise<void> {
  while ((await runtime.transaction(sweep)) === batch);
}
