import { deleteEndpoint } from "../../services/webhooks/endpoints.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const deleteEndpointRoute = defineRoute({
  method: "DELETE",
  path: "/v1/webhook-endpoints/{id}",
  tag: "Webhooks",
  summary: "Delete a webhook receiver with its log",
  scopes: ["apps:admin", "webhooks:write"],
  params: IdParams,
  output: null,
  statuses: [204],
  run: (ctx, { params }) => deleteEndpoint(ctx, params.id),
  reply: () => null,
});
