import { z } from "zod";
import type { Diagnosis } from "../../domain/diagnosis/diagnose.ts";
import { findingActors, findingCodes, severities } from "../../domain/diagnosis/finding.ts";
import { Time, time, Uuid } from "./time.ts";

const FindingBody = z
  .object({
    code: z.enum(findingCodes.map(({ code }) => code)),
    severity: z
      .enum(severities)
      .describe("`error`: nothing goes on until it is gone; `warning`: something suffers"),
    title: z.string().describe("What is the matter, in plain words"),
    evidence: z.array(z.string()).describe("Who said what, one line each"),
    actor: z
      .enum(findingActors)
      .describe(
        "Whose move it is: who manages the domain's DNS, the application's owner, the operator, or nobody's",
      ),
    fix: z.string().describe("What to do, in the words of the DNS provider's own form where known"),
  })
  .meta({ id: "Finding" });

export const DiagnosisBody = z
  .object({
    connection_id: Uuid,
    checked_at: Time,
    summary: z.string().describe("One sentence: what is going on and whose move it is"),
    findings: z.array(FindingBody).describe("The most hindering first; empty when all is well"),
  })
  .meta({ id: "Diagnosis" });

export function diagnosisBody(diagnosis: Diagnosis): z.input<typeof DiagnosisBody> {
  const { connectionId, checkedAt, summary, findings } = diagnosis;
  return {
    connection_id: connectionId,
    checked_at: time(checkedAt),
    summary,
    findings: findings.map((finding) => ({ ...finding, evidence: [...finding.evidence] })),
  };
}
