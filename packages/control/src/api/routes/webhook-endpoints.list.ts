import { ListEndpoints, listEndpoints } from "../../services/webhooks/endpoints.ts";
import { listing, listOf } from "../replies/listing.ts";
import { EndpointBody, endpointBody } from "../replies/webhook.ts";
import { defineRoute } from "../route.ts";

export const listEndpointsRoute = defineRoute({
  method: "GET",
  path: "/v1/webhook-endpoints",
  tag: "Webhooks",
  summary: "List webhook receivers, newest first",
  scopes: ["apps:admin", "webhooks:write"],
  query: ListEndpoints,
  output: listOf(EndpointBody),
  statuses: [200],
  run: (ctx, { query }) => listEndpoints(ctx, query),
  reply: (page) => listing(page, endpointBody),
});
