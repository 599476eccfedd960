import { listConnections } from "../../services/connections/read.ts";
import { ListConnections } from "../../services/connections/schemas.ts";
import { ConnectionBody, connectionBody } from "../replies/connection.ts";
import { listing, listOf } from "../replies/listing.ts";
import { defineRoute } from "../route.ts";

export const listConnectionsRoute = defineRoute({
  method: "GET",
  path: "/v1/connections",
  tag: "Connections",
  summary: "List connections, newest first",
  scopes: ["connections:read"],
  query: ListConnections,
  output: listOf(ConnectionBody),
  statuses: [200],
  run: (ctx, { query }) => listConnections(ctx, query),
  reply: (page) => listing(page, connectionBody),
});
