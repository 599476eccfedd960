import type { ApplyRecords, DnsRecord, Mooring, RecordChange, RecordPlan } from "@mooring/sdk";
import type { Command } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import { type ApiCall, apiCommand, examples } from "../api-command.ts";
import { fieldsHelp, findProvider, readFields, withFieldsOption } from "../credentials.ts";
import { CommandFailure, usageFailure } from "../explain.ts";
import { canAsk, confirm, isTextList, textOrNull } from "../input.ts";
import { connectionId } from "../references.ts";
import { paint, type Style, wrap } from "../text/paint.ts";
import { recordValue } from "../text/table.ts";

export type Write = (id: string, body: ApplyRecords) => Promise<RecordPlan>;

export function addApply(connections: Command, action: RegisterAction): void {
  const apply = withWriteOptions(connections.command("apply")).description(
    "write the records at the DNS provider, after showing the plan",
  );
  examples(
    apply,
    "mooring connections apply shop.acme.com --dry-run",
    "mooring connections apply shop.acme.com --yes",
    "mooring connections apply shop.acme.com --replace 4f1c9b2d",
    "mooring connections apply shop.acme.com --provider cloudflare   # asks for the token",
  );
  apply.addHelpText("after", fieldsHelp);
  apiCommand(action, apply, (call) => write(call, applier(call.client)));
}

export function addRevert(connections: Command, action: RegisterAction): void {
  const revert = withWriteOptions(connections.command("revert")).description(
    "put the zone back to what it was, after showing the plan",
  );
  examples(
    revert,
    "mooring connections revert shop.acme.com --dry-run",
    "mooring connections revert shop.acme.com --yes",
  );
  revert.addHelpText("after", fieldsHelp);
  apiCommand(action, revert, (call) => write(call, reverter(call.client)));
}

function applier(client: Mooring): Write {
  return (id, body) => client.connections.applyRecords(id, body);
}

function reverter(client: Mooring): Write {
  return (id, body) => client.connections.revertRecords(id, body);
}

export function withWriteOptions(command: Command): Command {
  return withFieldsOption(command)
    .argument("<connection>", "id or hostname")
    .option("--dry-run", "only show the plan")
    .option("--yes", "write without asking")
    .option("--credential <id>", "a stored credential (default: the one that sees the zone)")
    .option("--provider <slug>", "with fields for this one time, which are not stored")
    .option("--replace <change...>", "ids of conflicts that may be replaced");
}

export async function write(call: ApiCall, send: Write): Promise<number> {
  const { client, output, args, options, width } = call;
  const isDry = options["dryRun"] === true;
  if (!isDry && options["yes"] !== true && (output.isJson || !canAsk())) {
    throw usageFailure(
      "there is no terminal to ask on: give --yes to write, or --dry-run to see the plan",
    );
  }
  const id = await connectionId(client, args[0]);
  const body = await applyBody(call);
  const plan = await send(id, { ...body, dry_run: true });
  const conflicts = plan.changes.filter((change) => change.action === "conflict");
  const effects = plan.changes.filter((change) => change.action !== "keep");
  if (isDry || conflicts.length > 0 || effects.length === 0) {
    output.result(planText(plan, width), plan);
    return conflicts.length > 0 ? refuse(conflicts.map((one) => one.id)) : exitCode.done;
  }
  if (options["yes"] !== true) {
    output.item(planText(plan, width), plan);
    if (!(await confirm(`Make these changes in ${plan.zone}?`))) {
      throw new CommandFailure("nothing was written", { code: "declined" });
    }
  }
  const done = await send(id, body);
  output.result(planText(done, width), done);
  return done.applied ? exitCode.done : exitCode.failed;
}

function refuse(ids: readonly string[]): never {
  throw new CommandFailure("nothing was written: other records are in conflict", {
    code: "conflict",
    hints: [`to replace them: --replace ${ids.join(" ")}`],
  });
}

async function applyBody({ client, options }: ApiCall): Promise<ApplyRecords> {
  const credential = textOrNull(options["credential"]);
  const slug = textOrNull(options["provider"]);
  const replace = options["replace"];
  if (credential !== null && slug !== null) {
    throw usageFailure("give --credential or --provider, not both");
  }
  const inline = slug === null ? null : await readFields(await findProvider(client, slug), options);
  return {
    ...(credential === null ? {} : { credential_id: credential }),
    ...(slug === null || inline === null ? {} : { provider: slug, fields: inline }),
    ...(isTextList(replace) ? { replace } : {}),
  };
}

const signs: Readonly<Record<RecordChange["action"], readonly [Style, string]>> = {
  create: ["green", "+"],
  update: ["yellow", "~"],
  keep: ["dim", "="],
  conflict: ["red", "!"],
  delete: ["red", "-"],
};

/** What a write does to a zone, in the form of a diff. */
function planText(plan: RecordPlan, width: number | null): string {
  // Reasons describe the zone before the write.
  const isDone = plan.applied && !plan.dry_run;
  const lines = plan.changes.flatMap((change) =>
    changeLines(isDone ? { ...change, reason: "" } : change, width),
  );
  const notes = plan.notes.map((note) => wrap(note, width, ""));
  return [heading(plan), ...lines, ...(notes.length > 0 ? ["", ...notes] : [])].join("\n");
}

function heading({ dry_run, applied, zone, provider, changes }: RecordPlan): string {
  const where = `${paint("bold", zone)} at ${provider}`;
  if (changes.every(({ action }) => action === "keep")) return `Nothing to change in ${where}`;
  if (applied && !dry_run) return `Written to ${where}`;
  return `Plan for ${where}, nothing is written yet`;
}

function changeLines(change: RecordChange, width: number | null): string[] {
  const [style, sign] = signs[change.action];
  const isRefused = change.action === "conflict";
  const id = isRefused && change.replaceable ? `  ${paint("dim", change.id)}` : "";
  const reason = change.reason === "" ? [] : [paint("dim", wrap(change.reason, width, "      "))];
  return [
    `  ${paint(style, sign)} ${line(change.record)}${id}`,
    ...change.existing.map((one) => `      ${isRefused ? "there" : "was"}: ${line(one)}`),
    ...reason,
  ];
}

function line(record: DnsRecord): string {
  return `${record.host} ${record.type} ${recordValue(record)}`;
}
