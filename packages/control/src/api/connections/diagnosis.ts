import { z } from "zod";
import type { Diagnosis } from "../../domain/diagnosis/diagnose.ts";
import {
  type Finding,
  type FindingHeadline,
  findingActors,
  severities,
} from "../../domain/diagnosis/finding.ts";
import { findingCodes } from "../../domain/diagnosis/finding-codes.ts";
import { toDesired } from "../../domain/records/desired-records.ts";
import { getDiagnosis } from "../../services/connections/diagnosis/get.ts";
import { defineRoute, IdParams, RecordBody, Time, time, Uuid } from "../http/route.ts";

const FindingTextBody = z.object({ title: z.string(), fix: z.string() });

const FindingBody = z
  .object({
    code: z.enum(findingCodes.map(({ code }) => code)),
    severity: z
      .enum(severities)
      .describe("`error`: nothing continues until it is fixed; `warning`: something suffers"),
    title: z
      .string()
      .describe("What is wrong, in one sentence; with a widget token in the customer's words"),
    evidence: z.array(z.string()).describe("Who said what, one line each"),
    actor: z
      .enum(findingActors)
      .describe(
        "Who must act: the person who manages the domain's DNS, the application's owner, the operator, or no one",
      ),
    fix: z
      .string()
      .describe("What to do, with the field names of the DNS provider's form where known"),
    params: z
      .record(z.string(), z.string())
      .describe("With `code` and `actor`, what a text of your own needs"),
    add_records: z.array(RecordBody).describe("What the domain's owner has to add"),
    remove_records: z.array(RecordBody).describe("What the domain's owner has to delete"),
    texts: z
      .object({
        end_customer: FindingTextBody,
        tenant: FindingTextBody.nullable(),
        operator: FindingTextBody.nullable(),
      })
      .describe("The words for each reader; a widget token gets those for the customer only"),
  })
  .meta({ id: "Finding" });

/** What is shown of a diagnosis where there is space for one finding. */
export const HeadlineBody = z.object({
  code: z.string(),
  actor: z.enum(findingActors),
  title: z.string(),
});

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
    headline: HeadlineBody.nullable()
      .optional()
      .describe(
        "What lists show of it as `summary`, from this moment on: whose move it is, and why. Null: nothing is wrong",
      ),
    findings: z.array(FindingBody).describe("The most hindering first; empty when all is well"),
    records: z
      .array(RecordAnswersBody)
      .describe("What each server of the delegation answers for each wanted record"),
    early: z
      .boolean()
      .describe(
        "Nobody has said that the records were added, and they were shown less than five minutes ago: one that is not there is no fault",
      ),
  })
  .meta({ id: "Diagnosis" });

interface ReadDiagnosis extends Diagnosis {
  readonly headline?: FindingHeadline | null;
  readonly isForCustomer: boolean;
}

/** A diagnosis as the API and the command line show it. */
export function diagnosisBody(diagnosis: ReadDiagnosis): z.input<typeof DiagnosisBody> {
  const { connectionId, checkedAt, summary, headline, findings, records, isEarly } = diagnosis;
  return {
    connection_id: connectionId,
    checked_at: time(checkedAt),
    summary,
    ...(headline === undefined ? {} : { headline }),
    findings: findings.map((finding) => findingBody(finding, diagnosis.isForCustomer)),
    records: records.map(({ servers, ...record }) => ({
      ...record,
      servers: servers.map((answer) => ({ ...answer, values: [...answer.values] })),
    })),
    early: isEarly,
  };
}

function findingBody(finding: Finding, isForCustomer: boolean): z.input<typeof FindingBody> {
  const { code, severity, title, evidence, actor, fix, params, add, remove, texts } = finding;
  return {
    code,
    severity,
    title,
    evidence: [...evidence],
    actor,
    fix,
    params: { ...params },
    add_records: add.map(toDesired),
    remove_records: remove.map(toDesired),
    texts: isForCustomer
      ? { end_customer: texts.end_customer, tenant: null, operator: null }
      : texts,
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
  run: async (ctx, { params }) => ({
    ...(await getDiagnosis(ctx, params.id)),
    isForCustomer: ctx.actor.kind === "widget",
  }),
  reply: diagnosisBody,
});
