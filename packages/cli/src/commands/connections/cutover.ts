import type { ConnectionDetail, Mooring } from "@mooring/sdk";
import type { Command } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import { type ApiCall, apiCommand, examples } from "../api-command.ts";
import { fieldsHelp } from "../credentials.ts";
import { CommandFailure, usageFailure } from "../explain.ts";
import { connectionId } from "../references.ts";
import { paint } from "../text/paint.ts";
import { type Write, withWriteOptions, write } from "./apply.ts";

type Cutover = NonNullable<ConnectionDetail["cutover"]>;

export function addCutover(connections: Command, action: RegisterAction): void {
  const command = withWriteOptions(connections.command("cutover"))
    .description("show how far the move of a live domain is, switch it, or take it back")
    .option("--switch", "write the new records, after showing the plan")
    .option("--revert", "put the old records back, after showing the plan")
    .option("--pair", "with --switch or --revert: the domain and its www together")
    .option("--accept <check...>", "switch although this check has a warning: origin");
  examples(
    command,
    "mooring connections create shop.acme.com --cutover",
    "mooring connections cutover shop.acme.com",
    "mooring connections cutover shop.acme.com --switch --yes",
    "mooring connections cutover shop.acme.com --revert",
    "mooring connections cutover acme.com --switch --pair",
  );
  command.addHelpText("after", fieldsHelp);
  apiCommand(action, command, run);
}

function run(call: ApiCall): Promise<number> {
  const { client, options } = call;
  if (options["switch"] === true && options["revert"] === true) {
    throw usageFailure("give --switch or --revert, not both");
  }
  const pair = options["pair"] === true ? { pair: true } : {};
  if (options["switch"] === true) return write(call, switcher(client, pair, options["accept"]));
  if (options["revert"] === true) return write(call, reverter(client, pair));
  return show(call);
}

interface Pair {
  readonly pair?: boolean;
}

function switcher(client: Mooring, pair: Pair, accepted: unknown): Write {
  const isAccepted = Array.isArray(accepted) && accepted.includes("origin");
  const accept = isAccepted ? { accept: ["origin" as const] } : {};
  return (id, body) => client.connections.cutover(id, { ...body, ...pair, ...accept });
}

function reverter(client: Mooring, pair: Pair): Write {
  return (id, body) => client.connections.revertCutover(id, { ...body, ...pair });
}

async function show({ client, output, args }: ApiCall): Promise<number> {
  const id = await connectionId(client, args[0]);
  const connection = await client.connections.get(id);
  const { cutover, hostname } = connection;
  if (cutover === null) {
    throw new CommandFailure(`${hostname} has no cut-over`, {
      code: "conflict",
      hints: [`start one: mooring connections create ${hostname} --cutover`],
    });
  }
  output.result(cutoverText(hostname, cutover), cutover);
  return exitCode.done;
}

function cutoverText(hostname: string, cutover: Cutover): string {
  const checks = cutover.checks.map((check) => `  ${checkMark(check)} ${check.message}`);
  const old = cutover.old_records.map(
    ({ host, type, value, ttl }) => `  ${host} ${type} ${value} (TTL ${ttl})`,
  );
  const gone = cutover.visitors_gone_at;
  return [
    `${paint("bold", hostname)}: ${cutover.status}`,
    ...checks,
    ...(old.length > 0 ? ["The old place:", ...old] : []),
    ...(gone === null ? [] : [`The old server may be switched off from ${gone} on.`]),
  ].join("\n");
}

/** What was not compared is no success. */
function checkMark({ ok, not_compared: reason }: Cutover["checks"][number]): string {
  if (reason !== undefined) return paint("dim", "–");
  return ok ? paint("green", "✓") : paint("yellow", "…");
}
