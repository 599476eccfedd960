import type { Usage } from "@mooring/sdk";
import type { Command } from "commander";
import type { RegisterAction } from "../action.ts";
import { apiCommand, examples } from "./api-command.ts";
import { textOrNull } from "./input.ts";
import { formatFields, formatTable } from "./text/table.ts";

const counters = ["connect", "active_domain", "cert", "api_call"] as const;

export function addUsage(program: Command, action: RegisterAction): void {
  const usage = program
    .command("usage")
    .description("what was used in a month, and what the plan leaves")
    .option("--period <month>", "as in 2026-01 (default: this month)");
  examples(usage, "mooring usage", "mooring usage --period 2026-01 --json");
  apiCommand(action, usage, async ({ client, output, options }) => {
    const period = textOrNull(options["period"]);
    const found = await client.usage.get(period === null ? {} : { period });
    output.result(usageText(found), found);
    return undefined;
  });
}

function usageText(found: Usage): string {
  const head = formatFields([
    ["Plan", found.plan],
    ["Month", found.period.start.slice(0, 7)],
  ]);
  const table = formatTable(
    [
      { heading: "COUNTER", cell: (name) => name },
      { heading: "USED", cell: (name) => String(found.counters[name]) },
      { heading: "LIMIT", cell: (name) => limitText(found.limits[name]) },
      { heading: "LEFT", cell: (name) => limitText(found.remaining[name]) },
    ],
    counters,
    null,
  );
  return `${head}\n\n${table}`;
}

function limitText(limit: number | null): string {
  return limit === null ? "none" : String(limit);
}
