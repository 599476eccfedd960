import { pauseDeliveries, resumeDeliveries } from "../../db/queries/deliveries.ts";
import {
  type EndpointChanges,
  updateEndpoint as update,
} from "../../db/queries/webhook-endpoints.ts";
import { notFound } from "../../domain/errors.ts";
import type { WebhookEndpoint } from "../../domain/webhook.ts";
import { audit } from "../audit.ts";
import type { ServiceContext } from "../context.ts";
import { requireEndpoint } from "./get.ts";
import type { UpdateEndpoint } from "./schemas.ts";
import { requireReceiverUrl } from "./url.ts";

/** Switched off it gets nothing; switched on again, what it has missed is sent. */
export function updateEndpoint(
  ctx: ServiceContext,
  id: string,
  input: UpdateEndpoint,
): Promise<WebhookEndpoint> {
  const changes: EndpointChanges = {
    ...(input.url === undefined ? {} : { url: requireReceiverUrl(ctx, input.url) }),
    ...(input.events ? { events: input.events } : {}),
    ...(input.active === undefined ? {} : { active: input.active }),
  };
  return ctx.write(async (tx) => {
    if (Object.keys(changes).length === 0) return requireEndpoint(tx, id);
    const endpoint = await update(tx, id, changes);
    if (!endpoint) throw notFound("webhook endpoint");
    if (input.active === true) await resumeDeliveries(tx, id, ctx.now());
    if (input.active === false) await pauseDeliveries(tx, id);
    await audit(ctx, tx, "webhook_endpoint.update", id, { changed: Object.keys(changes) });
    return endpoint;
  });
}
