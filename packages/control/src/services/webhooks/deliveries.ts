import type { Tx } from "../../db/engine/transaction.ts";
import { pageDeliveries, replayDelivery, replaySince } from "../../db/queries/deliveries.ts";
import { AppError, notFound } from "../../domain/errors.ts";
import type { Delivery } from "../../domain/webhook.ts";
import { audit } from "../audit.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, listPage, type PageQuery } from "../paging.ts";
import { requireEndpoint } from "./get.ts";
import type { ReplaySince } from "./schemas.ts";

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
