import { CreateEndpoint, createEndpoint } from "../../services/webhooks/endpoints.ts";
import { EndpointSecretBody, endpointBody } from "../replies/webhook.ts";
import { defineRoute } from "../route.ts";

export const createEndpointRoute = defineRoute({
  method: "POST",
  path: "/v1/webhook-endpoints",
  tag: "Webhooks",
  summary: "Register a webhook receiver",
  description: "The signing secret is in this answer and never shown again.",
  scopes: ["apps:admin", "webhooks:write"],
  body: CreateEndpoint,
  output: EndpointSecretBody,
  statuses: [201],
  errors: ["not_found"],
  run: (ctx, { body }) => createEndpoint(ctx, body),
  reply: ({ endpoint, secret }) => ({ ...endpointBody(endpoint), signing_secret: secret }),
});
