import { getEndpoint } from "../../services/webhooks/endpoints.ts";
import { EndpointBody, endpointBody } from "../replies/webhook.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const getEndpointRoute = defineRoute({
  method: "GET",
  path: "/v1/webhook-endpoints/{id}",
  tag: "Webhooks",
  summary: "Read one webhook receiver",
  scopes: ["apps:admin", "webhooks:write"],
  params: IdParams,
  output: EndpointBody,
  statuses: [200],
  run: (ctx, { params }) => getEndpoint(ctx, params.id),
  reply: endpointBody,
});
