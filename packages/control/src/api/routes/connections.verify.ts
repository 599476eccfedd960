import { verifyConnection } from "../../services/connections/verify.ts";
import { ConnectionBody, connectionBody } from "../replies/connection.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const verifyConnectionRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/verify",
  tag: "Connections",
  summary: "Look for the ownership record at once",
  scopes: ["connections:write"],
  limit: "connection",
  timeoutMs: 15_000,
  params: IdParams,
  output: ConnectionBody,
  statuses: [200],
  errors: ["ownership_not_found", "HostnameConflict", "conflict"],
  run: (ctx, { params }) => verifyConnection(ctx, params.id),
  reply: connectionBody,
});
