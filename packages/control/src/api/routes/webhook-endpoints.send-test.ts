import { sendTest } from "../../services/webhooks/deliveries.ts";
import { DeliveryBody, deliveryBody } from "../replies/webhook.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const sendTestRoute = defineRoute({
  method: "POST",
  path: "/v1/webhook-endpoints/{id}/test",
  tag: "Webhooks",
  summary: "Send a test event to a receiver",
  scopes: ["apps:admin", "webhooks:write"],
  params: IdParams,
  output: DeliveryBody,
  statuses: [200],
  run: (ctx, { params }) => sendTest(ctx, params.id),
  reply: deliveryBody,
});
