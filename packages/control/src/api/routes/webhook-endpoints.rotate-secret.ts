import { rotateSecret } from "../../services/webhooks/endpoints.ts";
import { EndpointSecretBody, endpointBody } from "../replies/webhook.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const rotateEndpointSecretRoute = defineRoute({
  method: "POST",
  path: "/v1/webhook-endpoints/{id}/rotate-secret",
  tag: "Webhooks",
  summary: "Give a receiver a new signing secret",
  description: "The new one signs at once; for 24 hours the old one signs too.",
  scopes: ["apps:admin", "webhooks:write"],
  params: IdParams,
  output: EndpointSecretBody,
  statuses: [200],
  run: (ctx, { params }) => rotateSecret(ctx, params.id),
  reply: ({ endpoint, secret }) => ({ ...endpointBody(endpoint), signing_secret: secret }),
});
