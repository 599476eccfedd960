import { ApiError } from "@mooring/sdk";
import type { Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { exitCode } from "../../exit-code.ts";
import { apiCommand } from "../api-command.ts";
import { examples } from "../examples.ts";
import { connectionId } from "../references.ts";
import { paint } from "../text/paint.ts";
import { recordColumns } from "../text/records.ts";
import { tableOf } from "../text/table.ts";
import { orDash, painted } from "../text/words.ts";

export function addVerify(connections: Command, action: RegisterAction): void {
  const verify = connections
    .command("verify")
    .description("look for the proof of ownership at once")
    .argument("<connection>", "id or hostname");
  examples(verify, "mooring connections verify shop.acme.com");
  apiCommand(action, verify, async ({ client, output, args }) => {
    const id = await connectionId(client, args[0]);
    try {
      const found = await client.connections.verify(id);
      output.result(`${found.hostname} is ${painted(found.state)}`, found);
      return exitCode.done;
    } catch (error) {
      // What each server said is the answer here, and more than an error's few lines.
      if (!output.isJson && error instanceof ApiError && error.code === "ownership_not_found") {
        output.item(serversText(error.details), null);
      }
      throw error;
    }
  });
}

interface Seen {
  readonly name: string;
  readonly expected: string;
  readonly observed: readonly string[];
  readonly servers: readonly { readonly server: string; readonly outcome: string }[];
}

function serversText(details: unknown): string {
  if (!isSeen(details)) return "";
  const { name, expected, observed, servers } = details;
  const found = observed.length === 0 ? ["nothing"] : observed;
  const rows = servers.map(({ server, outcome }) => `  ${outcome.padEnd(8)}  ${server}`);
  return [
    `Looked for TXT ${name}`,
    `  expected  ${expected}`,
    ...found.map((value) => `  found     ${value}`),
    ...rows,
  ].join("\n");
}

function isSeen(value: unknown): value is Seen {
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
    .description("look for each record at once; ends with 1 while one is missing")
    .argument("<connection>", "id or hostname");
  examples(
    check,
    "mooring connections check shop.acme.com",
    "until mooring connections check shop.acme.com; do sleep 5; done",
  );
  apiCommand(action, check, async ({ client, output, args }) => {
    const id = await connectionId(client, args[0]);
    const { records } = await client.connections.checkRecords(id);
    const text = tableOf(
      [
        ...recordColumns,
        { heading: "SEEN", cell: (one) => (one.propagated ? paint("green", "yes") : "no") },
        {
          heading: "THERE NOW",
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
