import { z } from "zod";
import type { Diagnosis } from "../domain/diagnosis/diagnose.ts";
import { findingActors, findingCodes, severities } from "../domain/diagnosis/finding.ts";
import { getDiagnosis } from "../services/connections/diagnosis/get.ts";
import { defineRoute, IdParams, Time, time, Uuid } from "./route.ts";

const FindingBody = z
  .object({
    code: z.enum(findingCodes.map(({ code }) => code)),
    severity: z
      .enum(severities)
      .describe("`error`: nothing continues until it is fixed; `warning`: something suffers"),
    title: z.string().describe("What is wrong, in one sentence"),
    evidence: z.array(z.string()).describe("Who said what, one line each"),
    actor: z
      .enum(findingActors)
      .describe(
        "Who must act: the person who manages the domain's DNS, the application's owner, the operator, or no one",
      ),
    fix: z
      .string()
      .describe("What to do, with the field names of the DNS provider's form where known"),
  })
  .meta({ id: "Finding" });

const RecordAnswersBody = z
  .object({
    host: z.string(),
    type: z.string(),
    value: z.string(),
    servers: z.array(
      z.object({
        server: z.string(),
        outcome: z
          .enum(["match", "mismatch", "absent", "conflict", "unknown"])
          .describe("`unknown`: it gave no answer that counts, for `reason`"),
        values: z.array(z.string()),
        reason: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: "RecordAnswers" });

const DiagnosisBody = z
  .object({
    connection_id: Uuid,
    checked_at: Time,
    summary: z.string().describe("One sentence: what is going on and whose move it is"),
    findings: z.array(FindingBody).describe("The most hindering first; empty when all is well"),
    records: z
      .array(RecordAnswersBody)
      .describe("What each server of the delegation answers for each wanted record"),
  })
  .meta({ id: "Diagnosis" });

function diagnosisBody(diagnosis: Diagnosis): z.input<typeof DiagnosisBody> {
  const { connectionId, checkedAt, summary, findings, records } = diagnosis;
  return {
    connection_id: connectionId,
    checked_at: time(checkedAt),
    summary,
    findings: findings.map((finding) => ({ ...finding, evidence: [...finding.evidence] })),
    records: records.map(({ servers, ...record }) => ({
      ...record,
      servers: servers.map((answer) => ({ ...answer, values: [...answer.values] })),
    })),
  };
}

export const diagnoseConnectionRoute = defineRoute({
  method: "GET",
  path: "/v1/connections/{id}/diagnosis",
  tag: "Connections",
  summary: "What is the matter with a connection, who must act, and how",
  description:
    "Checks DNS at once and changes nothing. What could not be observed within eight seconds is named as a finding.",
  scopes: ["connections:read"],
  role: "viewer",
  widget: true,
  limit: "check",
  timeoutMs: 15_000,
  params: IdParams,
  output: DiagnosisBody,
  statuses: [200],
  run: (ctx, { params }) => getDiagnosis(ctx, params.id),
  reply: diagnosisBody,
});
