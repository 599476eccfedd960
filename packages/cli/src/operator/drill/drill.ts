import type { Config, DrillName } from "@mooring/control";
import { type DrillKind, type DrillReport, drillKinds, runDrill } from "@mooring/edge";
import { type Command, InvalidArgumentError } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import { sanitized } from "../../commands/api-command.ts";
import { formatFields } from "../../commands/text/table.ts";
import { attempt } from "../failure.ts";
import { type DrillNames, namesFor, withCopy } from "./copy.ts";

const hour = 3_600_000;
const day = 24 * hour;
const defaultNames = 2_000;

const what: Readonly<Record<DrillKind, string>> = {
  "ca-down": "the CA does not answer",
  revoke: "the CA revokes every certificate, and says so in its renewal information",
  "short-lived": "the CA issues certificates of six days only",
};

/** `mooring drill`: what would happen, on a copy. */
export function addDrill(program: Command, action: RegisterAction): void {
  const drill = program
    .command("drill")
    .description("rehearse trouble with certificates on a copy; the installation is only read")
    .addHelpText("after", help);
  for (const kind of drillKinds) {
    const command = drill
      .command(kind)
      .description(`what happens when ${what[kind]}`)
      .option("--names <count>", "copy at most so many names", positive, defaultNames)
      .option("--scratch <url>", "an empty database for the copy, instead of a temporary server");
    if (kind === "ca-down") command.option("--hours <count>", "how long", positive, 72);
    if (kind === "short-lived")
      command.option("--days <count>", "watched for so long", positive, 14);
    action(command, (raw, _, options) => {
      const output = sanitized(raw);
      return attempt(output, async (config) => {
        const now = new Date();
        const found = await namesFor(config, Number(options["names"]), now);
        const scratch = options["scratch"];
        const scratchUrl = typeof scratch === "string" ? scratch : null;
        const durationMs = parseDuration(kind, options);
        const report = await withCopy(config, found.names, { scratchUrl, now }, (databaseUrl) =>
          runDrill({
            kind,
            databaseUrl,
            durationMs,
            startAt: now,
            lifeMs: shortLifeMs,
            hosts: found.names.map(toHost),
            limits: drillLimits(config),
          }),
        );
        output.result(drillText(kind, found, durationMs, report), shown(kind, found, report));
        return report.recoveredAfterMs === null ? exitCode.failed : exitCode.done;
      });
    });
  }
}

/** The profile `shortlived` of Let's Encrypt. */
const shortLifeMs = 160 * hour;

function parseDuration(kind: DrillKind, options: Readonly<Record<string, unknown>>): number {
  if (kind === "ca-down") return Number(options["hours"]) * hour;
  return kind === "short-lived" ? Number(options["days"]) * day : 0;
}

/** The limits of the first CA, which gets the orders, for the CA of the drill. */
function drillLimits({ acmeDirectoryUrls: [first], issuanceLimits }: Config) {
  const own = first === undefined ? undefined : issuanceLimits[first];
  return own === undefined ? issuanceLimits : { "*": own };
}

/** A copied name as an edge knows it; its number is the epoch of its claim. */
export function toHost(
  { connectionId, tenantId, applicationId, ...name }: DrillName,
  index: number,
) {
  const { hostname, environment, registrableDomain } = name;
  const owner = { connectionId, tenantId, applicationId };
  return { ...owner, hostname, environment, registrableDomain, epoch: index + 1, own: null };
}

function positive(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError("Expected a whole number above zero.");
}

/** What would happen, for a person. */
export function drillText(
  kind: DrillKind,
  { names, total }: DrillNames,
  durationMs: number,
  report: DrillReport,
): string {
  const copied =
    total === 0 ? `${names.length} made-up names` : `${names.length} of ${total} names`;
  const recovered = report.recoveredAfterMs;
  const since = kind === "ca-down" ? " after the CA was back" : "";
  return [
    `What if ${what[kind]}${kind === "ca-down" ? ` for ${span(durationMs)}` : ""}?`,
    `On a copy of ${copied}, with a scripted CA and ${span(report.simulatedMs)} of simulated time.`,
    "",
    formatFields([
      ["Time to recover", recovered === null ? "never" : `${span(recovered)}${since}`],
      ["Orders", `${report.orders}, at most ${report.ordersPerDay} on one day`],
      ["Due at one time", String(report.overdue)],
      ["Without a valid certificate", String(report.expired)],
      ["Least life left", span(report.leastLeftMs)],
    ]),
    "",
    verdict(report),
  ].join("\n");
}

function verdict({ recoveredAfterMs, expired }: DrillReport): string {
  if (recoveredAfterMs === null) {
    return "It did not recover: raise ISSUANCE_LIMITS to what your CA allows, or add a second CA.";
  }
  return expired === 0
    ? "No visitor would have seen an expired certificate."
    : `${expired} names would have had an expired certificate: add a second CA (ACME_DIRECTORY_URL).`;
}

/** A duration in its two largest units. */
function span(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

function shown(kind: DrillKind, { names, total }: DrillNames, report: DrillReport): object {
  return {
    drill: kind,
    names: names.length,
    names_total: total,
    recovered_after_s:
      report.recoveredAfterMs === null ? null : Math.round(report.recoveredAfterMs / 1_000),
    orders: report.orders,
    orders_per_day: report.ordersPerDay,
    overdue: report.overdue,
    expired: report.expired,
    least_left_s: Math.round(report.leastLeftMs / 1_000),
    simulated_s: Math.round(report.simulatedMs / 1_000),
  };
}

const help = `
The names and the times of their certificates are copied, no keys; orders, retries, budgets and renewal questions
are the edge's own code, against a scripted CA, with a clock that jumps to what is due next. While the CA does not
answer, retries that are close together are one, save in the last six hours: the time to recover has the edge's own
schedule of retries in it. Without a database, or without names, made-up names are used. Ends with 1 when it did not recover.`;
