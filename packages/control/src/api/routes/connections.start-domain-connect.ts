import { StartDomainConnect } from "../../services/domain-connect/schemas.ts";
import { startDomainConnect } from "../../services/domain-connect/start.ts";
import { StartedDomainConnectBody, startedDomainConnectBody } from "../replies/domain-connect.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const startDomainConnectRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/domain-connect:start",
  tag: "Connections",
  summary: "Send the customer to their DNS provider (Domain Connect)",
  description:
    "A signed link under which the customer signs in at their DNS provider and has the records set there; no credential reaches this service. Afterwards DNS, and nothing else, shows whether it was done. Where it is not possible, `details.reason` says why, and the records can be added by hand.",
  scopes: ["connections:write"],
  widget: true,
  limit: "connection",
  timeoutMs: 15_000,
  params: IdParams,
  body: StartDomainConnect,
  output: StartedDomainConnectBody,
  statuses: [200],
  errors: ["conflict", "provider_error"],
  run: (ctx, { params, body }) => startDomainConnect(ctx, params.id, body),
  reply: startedDomainConnectBody,
});
