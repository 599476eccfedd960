import { getConnection } from "../../services/connections/read.ts";
import { ConnectionDetailBody, connectionDetailBody } from "../replies/connection.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const getConnectionRoute = defineRoute({
  method: "GET",
  path: "/v1/connections/{id}",
  tag: "Connections",
  summary: "Read one connection with its records and certificate",
  scopes: ["connections:read"],
  widget: true,
  params: IdParams,
  output: ConnectionDetailBody,
  statuses: [200],
  run: (ctx, { params }) => getConnection(ctx, params.id),
  reply: connectionDetailBody,
});
