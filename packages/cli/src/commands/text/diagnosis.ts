import type { Diagnosis, Finding } from "@mooring/sdk";
import { paint, wrap } from "./paint.ts";

type ShownFinding = Pick<Finding, "code" | "severity" | "title" | "evidence" | "actor" | "fix">;

interface ShownDiagnosis extends Pick<Diagnosis, "summary"> {
  readonly findings: readonly ShownFinding[];
}

const marks = {
  error: paint("red", "✘"),
  warning: paint("yellow", "!"),
  info: paint("cyan", "i"),
} as const;

/** Whose move it is, in the words of the command line. */
export const actors = {
  end_customer: "who manages the domain's DNS",
  tenant: "you, the application's owner",
  operator: "the operator of this service",
  wait: "no one: wait",
} as const;

/** What a diagnosis says, for a person. */
export function diagnosisText({ summary, findings }: ShownDiagnosis, width: number | null): string {
  const parts = findings.map((finding) => findingText(finding, width));
  return [paint("bold", wrap(summary, width, "")), ...parts].join("\n\n");
}

function findingText(finding: ShownFinding, width: number | null): string {
  return [
    `${marks[finding.severity]} ${finding.title}  ${paint("dim", finding.code)}`,
    ...finding.evidence.map((line) => paint("dim", wrap(`– ${line}`, width, "    "))),
    `    Who   ${actors[finding.actor]}`,
    `    Fix   ${wrap(finding.fix, width, "          ").trimStart()}`,
  ].join("\n");
}
