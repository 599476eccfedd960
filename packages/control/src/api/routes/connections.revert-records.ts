import { revertRecords } from "../../services/dns-write/revert-records.ts";
import { ApplyRecords } from "../../services/dns-write/schemas.ts";
import { RecordPlanBody, recordPlanBody } from "../replies/record-plan.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const revertRecordsRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/records:revert",
  tag: "Connections",
  summary: "Put the zone back to what it was",
  description:
    "Removes the records that this service wrote for the connection and restores those that it replaced. What others have put there since is left alone and named.",
  scopes: ["connections:write"],
  timeoutMs: 30_000,
  params: IdParams,
  body: ApplyRecords,
  output: RecordPlanBody,
  statuses: [200],
  errors: ["conflict", "provider_error"],
  run: (ctx, { params, body }) => revertRecords(ctx, params.id, body),
  reply: recordPlanBody,
});
