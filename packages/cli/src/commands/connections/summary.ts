import type { ConnectionSummary } from "@mooring/sdk";
import type { Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { apiCommand, examples } from "../api-command.ts";
import { actors } from "../text/diagnosis.ts";
import { formatFields, formatTable, orDash, painted } from "../text/table.ts";

/** How all connections are, without listing them. */
export function addSummary(connections: Command, action: RegisterAction): void {
  const summary = connections
    .command("summary")
    .description("count the connections by state, cause and whose move it is");
  examples(
    summary,
    "mooring connections summary",
    "mooring connections summary --json | jq .by_error_code",
  );
  apiCommand(action, summary, async ({ client, output }) => {
    const found = await client.connections.summary();
    output.result(summaryText(found), found);
    return undefined;
  });
}

function summaryText(found: ConnectionSummary): string {
  const { median_s, p95_s } = found.time_to_live;
  const whose = Object.entries(actors).map(
    ([actor, name]) => [name, found.by_actor[actor] ?? 0] as const,
  );
  const days = found.series.filter((day) => day.created + day.live + day.failed + day.drifted > 0);
  return [
    counts("STATE", Object.entries(found.by_state), painted),
    counts("ERROR", Object.entries(found.by_error_code)),
    counts(
      "NEXT MOVE",
      whose.filter(([, amount]) => amount > 0),
    ),
    formatFields([
      ["Time to live", `median ${seconds(median_s)}, p95 ${seconds(p95_s)}`],
      ["Certificates that expire within 14 days", String(found.certificates_expiring)],
    ]),
    days.length === 0 ? "" : daysTable(days),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function counts(
  heading: string,
  rows: readonly (readonly [string, number])[],
  show: (name: string) => string = (name) => name,
): string {
  if (rows.length === 0) return "";
  const sorted = [...rows].sort(([, a], [, b]) => b - a);
  return formatTable(
    [
      { heading, cell: ([name]) => show(name) },
      { heading: "CONNECTIONS", cell: ([, amount]) => String(amount) },
    ],
    sorted,
    null,
  );
}

function daysTable(days: ConnectionSummary["series"]): string {
  return formatTable(
    [
      { heading: "DAY", cell: ({ date }) => date },
      { heading: "CREATED", cell: ({ created }) => String(created) },
      { heading: "LIVE", cell: ({ live }) => String(live) },
      { heading: "FAILED", cell: ({ failed }) => String(failed) },
      { heading: "DRIFTED", cell: ({ drifted }) => String(drifted) },
    ],
    days,
    null,
  );
}

function seconds(value: number | null): string {
  return value === null ? orDash(null) : `${Math.round(value)} s`;
}
