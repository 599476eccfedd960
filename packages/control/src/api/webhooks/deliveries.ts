import { z } from "zod";
import {
  getDelivery,
  ListAllDeliveries,
  listAllDeliveries,
  type TenantDelivery,
} from "../../services/webhooks/deliveries.ts";
import { defineRoute, IdParams, listing, listSchema, Uuid } from "../http/route.ts";
import { deliveryBody, deliveryFields } from "./endpoints.ts";

const listedFields = {
  ...deliveryFields,
  connection_id: Uuid.nullable().describe("What the event is about; null: the application"),
  hostname: z.string().nullable().describe("Of that connection"),
};
const ListedDeliveryBody = z.object(listedFields).meta({ id: "ListedDelivery" });
const DeliveryDetailBody = z
  .object({
    ...listedFields,
    url: z.string().describe("The receiver, without what may be a secret"),
    payload: z.record(z.string(), z.unknown()).describe("The event that was sent"),
  })
  .meta({ id: "DeliveryDetail" });

function listedDeliveryBody(delivery: TenantDelivery): z.input<typeof ListedDeliveryBody> {
  const { connectionId, hostname } = delivery;
  return { ...deliveryBody(delivery), connection_id: connectionId, hostname };
}

export const listAllDeliveriesRoute = defineRoute({
  method: "GET",
  path: "/v1/deliveries",
  tag: "Webhooks",
  summary: "List deliveries to all receivers, newest first",
  scopes: ["apps:admin", "webhooks:write"],
  role: "viewer",
  query: ListAllDeliveries,
  output: listSchema(ListedDeliveryBody),
  statuses: [200],
  run: (ctx, { query }) => listAllDeliveries(ctx, query),
  reply: (page) => listing(page, listedDeliveryBody),
});

export const getDeliveryRoute = defineRoute({
  method: "GET",
  path: "/v1/deliveries/{id}",
  tag: "Webhooks",
  summary: "Read one delivery with what was sent",
  scopes: ["apps:admin", "webhooks:write"],
  role: "viewer",
  params: IdParams,
  output: DeliveryDetailBody,
  statuses: [200],
  run: (ctx, { params }) => getDelivery(ctx, params.id),
  reply: (delivery) => ({
    ...listedDeliveryBody(delivery),
    url: delivery.url,
    payload: JSON.parse(delivery.body) as Record<string, unknown>,
  }),
});
