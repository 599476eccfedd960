import { z } from "zod";
import { checkConnectionRecords } from "../../services/connections/verify.ts";
import { RecordCheckBody, recordCheckBody } from "../replies/connection.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const checkRecordsRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/records:check",
  tag: "Connections",
  summary: "Look for each desired record at once",
  description: "With a widget token the ownership record is looked for too.",
  scopes: ["connections:write"],
  widget: true,
  limit: "connection",
  timeoutMs: 15_000,
  params: IdParams,
  output: z.object({ records: z.array(RecordCheckBody) }),
  statuses: [200],
  errors: ["conflict"],
  run: (ctx, { params }) => checkConnectionRecords(ctx, params.id),
  reply: (records) => ({ records: records.map(recordCheckBody) }),
});
