import { getDiagnosis } from "../../services/connections/diagnosis/get.ts";
import { DiagnosisBody, diagnosisBody } from "../replies/diagnosis.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const diagnoseConnectionRoute = defineRoute({
  method: "GET",
  path: "/v1/connections/{id}/diagnosis",
  tag: "Connections",
  summary: "What is the matter with a connection, who must act, and how",
  description:
    "Looks at DNS at once and changes nothing. What could not be seen within eight seconds is named as a finding.",
  scopes: ["connections:read"],
  widget: true,
  limit: "check",
  timeoutMs: 15_000,
  params: IdParams,
  output: DiagnosisBody,
  statuses: [200],
  run: (ctx, { params }) => getDiagnosis(ctx, params.id),
  reply: diagnosisBody,
});
