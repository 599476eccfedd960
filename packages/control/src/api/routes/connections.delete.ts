import { deleteConnection } from "../../services/connections/delete.ts";
import { ConnectionBody, connectionBody } from "../replies/connection.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const deleteConnectionRoute = defineRoute({
  method: "DELETE",
  path: "/v1/connections/{id}",
  tag: "Connections",
  summary: "Offboard a domain",
  description: "Archives the connection and frees its hostname. A repeat answers the same.",
  scopes: ["connections:write"],
  params: IdParams,
  output: ConnectionBody,
  statuses: [200],
  run: (ctx, { params }) => deleteConnection(ctx, params.id),
  reply: connectionBody,
});
