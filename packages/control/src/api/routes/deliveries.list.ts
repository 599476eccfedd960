import { z } from "zod";
import { pageQuery } from "../../services/paging.ts";
import { listDeliveries } from "../../services/webhooks/deliveries.ts";
import { listing, listOf } from "../replies/listing.ts";
import { DeliveryBody, deliveryBody } from "../replies/webhook.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const listDeliveriesRoute = defineRoute({
  method: "GET",
  path: "/v1/webhook-endpoints/{id}/deliveries",
  tag: "Webhooks",
  summary: "The delivery log of a receiver, with every attempt",
  scopes: ["apps:admin", "webhooks:write"],
  params: IdParams,
  query: z.strictObject(pageQuery),
  output: listOf(DeliveryBody),
  statuses: [200],
  run: (ctx, { params, query }) => listDeliveries(ctx, params.id, query),
  reply: (page) => listing(page, deliveryBody),
});
