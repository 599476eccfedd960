import { ApiError } from "@mooring/sdk";
import type { Command } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import { apiCommand, examples } from "../api-command.ts";
import { connectionId } from "../references.ts";
import { diagnosisText } from "../text/diagnosis.ts";
import { paint } from "../text/paint.ts";
import { formatTable, orDash, painted, recordColumns } from "../text/table.ts";

export function addVerify(connections: Command, action: RegisterAction): void {
  const verify = connections
    .command("verify")
    .description("check for the proof of ownership now")
    .argument("<connection>", "id or hostname");
  examples(verify, "mooring connections verify shop.acme.com");
  apiCommand(action, verify, async ({ client, output, args }) => {
    const id = await connectionId(client, args[0]);
    try {
      const found = await client.connections.verify(id);
      output.result(`${found.hostname} is ${painted(found.state)}`, found);
      return exitCode.done;
    } catch (error) {
      // The replies of the servers are the result here; an error cannot carry them.
      if (!output.isJson && error instanceof ApiError) {
        if (error.code === "ownership_not_found") output.item(serversText(error.details), null);
        if (error.code === "HostnameConflict") output.item(contestText(error.details), null);
      }
      throw error;
    }
  });
}

function contestText(details: unknown): string {
  const isKnown = typeof details === "object" && details !== null && "contest_deadline" in details;
  const deadline = isKnown ? details.contest_deadline : null;
  return typeof deadline === "string"
    ? `Ownership is proven. The name passes to this connection at ${deadline}, unless its holder proves it again.`
    : "Its holder has proven the name too and stays. `mooring connections diagnose` says which record to delete, and when the name then passes.";
}

/** The details of `ownership_not_found`. */
interface OwnershipObservation {
  readonly name: string;
  readonly expected: string;
  readonly observed: readonly string[];
  readonly servers: readonly { readonly server: string; readonly outcome: string }[];
}

function serversText(details: unknown): string {
  if (!isOwnershipObservation(details)) return "";
  const { name, expected, observed, servers } = details;
  const found = observed.length === 0 ? ["nothing"] : observed;
  const rows = servers.map(({ server, outcome }) => `  ${outcome.padEnd(8)}  ${server}`);
  return [
    `Checked TXT ${name}`,
    `  expected  ${expected}`,
    ...found.map((value) => `  found     ${value}`),
    ...rows,
  ].join("\n");
}

function isOwnershipObservation(value: unknown): value is OwnershipObservation {
  if (typeof value !== "object" || value === null) return false;
  return (
    "name" in value &&
    "expected" in value &&
    "observed" in value &&
    Array.isArray(value.observed) &&
    "servers" in value &&
    Array.isArray(value.servers)
  );
}

export function addCheck(connections: Command, action: RegisterAction): void {
  const check = connections
    .command("check")
    .description("check each record now; ends with 1 while one is missing")
    .argument("<connection>", "id or hostname");
  examples(
    check,
    "mooring connections check shop.acme.com",
    "until mooring connections check shop.acme.com; do sleep 5; done",
  );
  apiCommand(action, check, async ({ client, output, args }) => {
    const id = await connectionId(client, args[0]);
    const { records } = await client.connections.checkRecords(id);
    const text = formatTable(
      [
        ...recordColumns,
        { heading: "SEEN", cell: (one) => (one.propagated ? paint("green", "yes") : "no") },
        {
          heading: "FOUND",
          cell: (one) => (one.propagated ? "–" : orDash(one.observed_value)),
        },
      ],
      records,
      null,
    );
    output.result(text, { records });
    return records.every(({ propagated }) => propagated) ? exitCode.done : exitCode.failed;
  });
}

export function addDiagnose(connections: Command, action: RegisterAction): void {
  const diagnose = connections
    .command("diagnose")
    .description("say what is wrong, who must act and how; ends with 1 on an error")
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
