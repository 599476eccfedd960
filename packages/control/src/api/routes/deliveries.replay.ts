import { z } from "zod";
import { replayOne } from "../../services/webhooks/deliveries.ts";
import { DeliveryBody, deliveryBody } from "../replies/webhook.ts";
import { defineRoute } from "../route.ts";

export const replayDeliveryRoute = defineRoute({
  method: "POST",
  path: "/v1/webhook-endpoints/{id}/deliveries/{deliveryId}/replay",
  tag: "Webhooks",
  summary: "Send one delivery again",
  description: "Same event id and bytes, signed with a fresh timestamp.",
  scopes: ["apps:admin", "webhooks:write"],
  params: z.strictObject({ id: z.uuid(), deliveryId: z.uuid() }),
  output: DeliveryBody,
  statuses: [200],
  errors: ["conflict"],
  run: (ctx, { params }) => replayOne(ctx, params.id, params.deliveryId),
  reply: deliveryBody,
});
