import type { Diagnosis, Finding } from "@mooring/sdk";
import type { Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { exitCode } from "../../exit-code.ts";
import { apiCommand } from "../api-command.ts";
import { examples } from "../examples.ts";
import { connectionId } from "../references.ts";
import { paint } from "../text/paint.ts";
import { wrap } from "../text/wrap.ts";

export function addDiagnose(connections: Command, action: RegisterAction): void {
  const diagnose = connections
    .command("diagnose")
    .description("say what is the matter, who must act and how; ends with 1 on an error")
    .argument("<connection>", "id or hostname");
  examples(
    diagnose,
    "mooring connections diagnose shop.acme.com",
    "mooring connections diagnose shop.acme.com --json | jq -r '.findings[].code'",
  );
  apiCommand(action, diagnose, async ({ client, output, args, width }) => {
    const id = await connectionId(client, args[0]);
    const diagnosis = await client.call("get_connections_id_diagnosis", { params: { id } });
    output.result(diagnosisText(diagnosis, width), diagnosis);
    const isBad = diagnosis.findings.some(({ severity }) => severity === "error");
    return isBad ? exitCode.failed : exitCode.done;
  });
}

const marks = {
  error: paint("red", "✘"),
  warning: paint("yellow", "!"),
  info: paint("cyan", "i"),
} as const;

const actors = {
  end_customer: "who manages the domain's DNS",
  tenant: "you, the application's owner",
  operator: "the operator of this service",
  wait: "nobody: wait",
} as const;

function diagnosisText({ summary, findings }: Diagnosis, width: number | null): string {
  const parts = findings.map((finding) => findingText(finding, width));
  return [paint("bold", wrap(summary, width, "")), ...parts].join("\n\n");
}

function findingText(finding: Finding, width: number | null): string {
  return [
    `${marks[finding.severity]} ${finding.title}  ${paint("dim", finding.code)}`,
    ...finding.evidence.map((line) => paint("dim", wrap(`– ${line}`, width, "    "))),
    `    Who   ${actors[finding.actor]}`,
    `    Mend  ${wrap(finding.fix, width, "          ").trimStart()}`,
  ].join("\n");
}
