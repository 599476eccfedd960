import { UpdateEndpoint, updateEndpoint } from "../../services/webhooks/endpoints.ts";
import { EndpointBody, endpointBody } from "../replies/webhook.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const updateEndpointRoute = defineRoute({
  method: "PATCH",
  path: "/v1/webhook-endpoints/{id}",
  tag: "Webhooks",
  summary: "Change a webhook receiver, or switch it off and on",
  scopes: ["apps:admin", "webhooks:write"],
  params: IdParams,
  body: UpdateEndpoint,
  output: EndpointBody,
  statuses: [200],
  run: (ctx, { params, body }) => updateEndpoint(ctx, params.id, body),
  reply: endpointBody,
});
