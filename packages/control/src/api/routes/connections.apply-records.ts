import { applyRecords } from "../../services/dns-write/apply-records.ts";
import { ApplyRecords } from "../../services/dns-write/schemas.ts";
import { RecordPlanBody, recordPlanBody } from "../replies/record-plan.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const applyRecordsRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/records:apply",
  tag: "Connections",
  summary: "Write the records at the DNS provider",
  description:
    "With a stored credential, or with one that is given here, used once and not kept. All or nothing: while the plan has a conflict, nothing is written. What this service did not create is replaced only where its change is named in `replace`.",
  scopes: ["connections:write"],
  widget: true,
  timeoutMs: 30_000,
  params: IdParams,
  body: ApplyRecords,
  output: RecordPlanBody,
  statuses: [200],
  errors: ["conflict", "provider_error"],
  run: (ctx, { params, body }) => applyRecords(ctx, params.id, body),
  reply: recordPlanBody,
});
