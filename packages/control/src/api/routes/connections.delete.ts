import { z } from "zod";
import { deleteConnection } from "../../services/connections/archive.ts";
import { ConnectionBody, connectionBody } from "../replies/connection.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const deleteConnectionRoute = defineRoute({
  method: "DELETE",
  path: "/v1/connections/{id}",
  tag: "Connections",
  summary: "Offboard a domain",
  description:
    "Archives the connection and frees its hostname. A repeat answers the same. With `revert_dns` the records that were written with a stored credential are taken back as far as that can be done; what is left is on the timeline.",
  scopes: ["connections:write"],
  timeoutMs: 30_000,
  params: IdParams,
  query: z.strictObject({ revert_dns: z.enum(["true", "false"]).optional() }),
  output: ConnectionBody,
  statuses: [200],
  run: (ctx, { params, query }) =>
    deleteConnection(ctx, params.id, { revertDns: query.revert_dns === "true" }),
  reply: connectionBody,
});
