import type { ConnectionTraffic, Traffic, TrafficNumbers, TrafficPoint } from "@mooring/sdk";
import type { Command } from "commander";
import type { RegisterAction } from "../action.ts";
import { apiCommand, examples } from "./api-command.ts";
import { usageFailure } from "./explain.ts";
import { textOrNull } from "./input.ts";
import { connectionId } from "./references.ts";
import { paint } from "./text/paint.ts";
import { type Column, formatFields, formatTable, formatTime, orDash } from "./text/table.ts";

const hourMs = 3_600_000;

export function addTraffic(program: Command, action: RegisterAction): void {
  const traffic = program
    .command("traffic")
    .description("what visitors asked of a name, or of all names, by hour or day")
    .argument("[connection]", "id or hostname; without it all, and those with the most")
    .option("--hours <number>", "how many hours, up to 840 (default: 24)")
    .option("--days <number>", "by day instead: how many, up to 400");
  examples(
    traffic,
    "mooring traffic shop.acme.com",
    "mooring traffic shop.acme.com --days 30",
    "mooring traffic --json",
  );
  apiCommand(action, traffic, async ({ client, output, options, args }) => {
    const span = readSpan(options);
    const [reference] = args;
    if (reference === undefined) {
      const found = await client.traffic.get(span);
      output.result(allText(found), found);
      return undefined;
    }
    const id = await connectionId(client, reference);
    const found = await client.connections.traffic(id, span);
    output.result(nameText(found), found);
    return undefined;
  });
}

function readSpan(options: Readonly<Record<string, unknown>>) {
  const days = textOrNull(options["days"]);
  const step = days === null ? ("hour" as const) : ("day" as const);
  const [text, most] = days === null ? [textOrNull(options["hours"]), 840] : [days, 400];
  const count = Number(text ?? "24");
  if (!Number.isInteger(count) || count < 1 || count > most) {
    throw usageFailure(`--${step}s takes a number from 1 to ${most}`);
  }
  const stepMs = step === "hour" ? hourMs : 24 * hourMs;
  return { step, from: new Date(Date.now() - (count - 1) * stepMs).toISOString() };
}

const columns: readonly Column<TrafficPoint>[] = [
  { heading: "FROM", cell: ({ at }) => formatTime(at).slice(0, 16) },
  { heading: "REQUESTS", cell: shown((numbers) => String(numbers.requests)) },
  { heading: "4XX", cell: shown(({ by_status }) => String(by_status["4xx"])) },
  { heading: "5XX", cell: shown(({ by_status }) => failures(by_status["5xx"])) },
  { heading: "P50", cell: shown(({ origin_p50_ms }) => milliseconds(origin_p50_ms)) },
  { heading: "P95", cell: shown(({ origin_p95_ms }) => milliseconds(origin_p95_ms)) },
  { heading: "IN", cell: shown(({ bytes_in }) => formatBytes(bytes_in)) },
  { heading: "OUT", cell: shown(({ bytes_out }) => formatBytes(bytes_out)) },
  { heading: "REFUSED", cell: shown(({ refused }) => String(refused)) },
  { heading: "KNOWN", cell: knownText },
];

/** A dash where no edge has reported: that is not zero. */
function shown(cell: (numbers: TrafficNumbers) => string): (point: TrafficPoint) => string {
  return ({ numbers }) => (numbers === null ? "–" : cell(numbers));
}

function failures(count: number): string {
  return count > 0 ? paint("red", String(count)) : "0";
}

function milliseconds(value: number | null): string {
  return value === null ? "–" : `${Math.round(value)} ms`;
}

/** Of a part that is not over or not whole: how much of it has arrived. */
function knownText({ complete, coverage, numbers }: TrafficPoint): string {
  if (numbers === null) return paint("dim", "nothing");
  if (complete) return "all";
  if (coverage === null || coverage === 1) return paint("yellow", "so far");
  // The API has three digits; what is not whole is never shown as 100 %.
  return paint("yellow", `${Math.floor(Math.round(coverage * 1_000) / 10)} %`);
}

const units = ["B", "KB", "MB", "GB", "TB"] as const;

function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

const bars = "▁▂▃▄▅▆▇█";

/** One character for each part of the time, a dot where nothing is known. */
export function sparkline(points: readonly Pick<TrafficPoint, "numbers">[]): string {
  const most = Math.max(1, ...points.map(({ numbers }) => numbers?.requests ?? 0));
  return points
    .map(({ numbers }) => {
      if (numbers === null) return "·";
      if (numbers.requests === 0) return " ";
      return bars[Math.ceil((numbers.requests / most) * bars.length) - 1];
    })
    .join("");
}

function headText(found: Traffic | ConnectionTraffic, more: [string, string | null][]): string {
  const { totals } = found;
  const lines: [string, string | null][] = [
    ["Time", `${formatTime(found.from)} to ${formatTime(found.to)}, by ${found.step}`],
    ["Requests", totals === null ? "unknown" : String(totals.requests)],
    ["Failed", totals && `${totals.by_status["5xx"]} with 5xx, ${totals.refused} refused`],
    ["Origin", totals && originText(totals)],
    ["Bytes", totals && `${formatBytes(totals.bytes_in)} in, ${formatBytes(totals.bytes_out)} out`],
    ...more,
    ["Plot", sparkline(found.points)],
  ];
  const head = formatFields(lines);
  if (!found.enabled) return `${head}\n\nCounting is turned off: TRAFFIC=off.`;
  return found.complete
    ? head
    : `${head}\n\nNot all of it is known: dots and dashes are parts that no edge has reported.`;
}

function originText({ origin_p50_ms, origin_p95_ms }: TrafficNumbers): string {
  return `p50 ${milliseconds(origin_p50_ms)}, p95 ${milliseconds(origin_p95_ms)}`;
}

function nameText(found: ConnectionTraffic): string {
  const head = headText(found, [
    ["First visit", found.first_visit_at === null ? "none yet" : formatTime(found.first_visit_at)],
  ]);
  return `${head}\n\n${formatTable(columns, found.points, null)}`;
}

function allText(found: Traffic): string {
  const head = headText(found, []);
  if (found.groups.length === 0) return `${head}\n\nNo name was visited.`;
  const table = formatTable<Traffic["groups"][number]>(
    [
      { heading: "NAME", cell: ({ name, id }) => name ?? id, isElastic: true },
      { heading: "REQUESTS", cell: ({ numbers }) => String(numbers.requests) },
      { heading: "5XX", cell: ({ numbers }) => failures(numbers.by_status["5xx"]) },
      { heading: "P95", cell: ({ numbers }) => orDash(milliseconds(numbers.origin_p95_ms)) },
      { heading: "OUT", cell: ({ numbers }) => formatBytes(numbers.bytes_out) },
    ],
    found.groups,
    null,
  );
  return `${head}\n\n${table}`;
}
