import type { SendingDomain } from "@mooring/sdk";
import { Argument, type Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { apiCommand, examples } from "../api-command.ts";
import { readInput, textOrNull } from "../input.ts";
import { connectionId } from "../references.ts";
import { paint, wrap } from "../text/paint.ts";
import { inputsIn } from "./email.ts";

type Service = SendingDomain["provider"];
const services: readonly Service[] = ["resend", "postmark", "ses", "mailgun", "sendgrid", "brevo"];

function serviceIn(name: string | undefined): Service {
  return services.find((one) => one === name) ?? "resend";
}

export function addSending(program: Command, action: RegisterAction): void {
  const sending = program
    .command("sending")
    .description("a domain at a service for sending mail: its records, and whether they are right");
  addApply(sending, action);
  const list = sending
    .command("list")
    .description("the sending domains of a connection")
    .argument("<connection>", "an id or a hostname");
  examples(list, "mooring sending list acme.com");
  apiCommand(action, list, async ({ client, output, args, width }) => {
    const all = await client.sending.list(await connectionId(client, args[0]));
    output.result(sendingText(all, width), all);
    return undefined;
  });
  const check = sending
    .command("check")
    .description("check them now, and ask the service where you gave access to it")
    .argument("<connection>", "an id or a hostname");
  examples(check, "mooring sending check acme.com");
  apiCommand(action, check, async ({ client, output, args, width }) => {
    const all = await client.sending.check(await connectionId(client, args[0]));
    output.result(sendingText(all, width), all);
    return undefined;
  });
  const remove = sending
    .command("remove")
    .description("stop watching; the records stay")
    .argument("<connection>", "an id or a hostname")
    .addArgument(new Argument("<service>", "a service for sending mail").choices(services));
  examples(remove, "mooring sending remove acme.com resend");
  apiCommand(action, remove, async ({ client, output, args }) => {
    const id = await connectionId(client, args[0]);
    await client.sending.remove(id, serviceIn(args[1]));
    output.result("It is no longer watched; its records stay.", null);
    return undefined;
  });
}

function addApply(sending: Command, action: RegisterAction): void {
  const apply = sending
    .command("apply")
    .description("write the records that are safe to write, show the rest, and watch them")
    .argument("<connection>", "an id or a hostname")
    .addArgument(new Argument("<service>", "a service for sending mail").choices(services))
    .option("--input <name=value...>", "a value from the service's console")
    .option(
      "--access-file <file>",
      "your access, name=value lines, to read the values from your account; - is stdin",
    );
  examples(
    apply,
    "mooring sending apply acme.com sendgrid --input account_host=u1.wl1.sendgrid.net return_path=em1",
    "mooring sending apply acme.com resend --access-file resend.env",
    "pass show mail/resend | sed 's/^/api_key=/' | mooring sending apply acme.com resend --access-file -",
  );
  apiCommand(action, apply, async ({ client, output, args, options, width }) => {
    const id = await connectionId(client, args[0]);
    const inputs = inputsIn(options["input"], "--input");
    const file = textOrNull(options["accessFile"]);
    const access = file === null ? null : linesIn(await readInput(file));
    const made = await client.sending.apply(id, {
      provider: serviceIn(args[1]),
      ...(inputs === null ? {} : { inputs }),
      ...(access === null ? {} : { access }),
    });
    output.result(sendingText([made], width), made);
    return undefined;
  });
}

/** Secrets are never command-line arguments, which every user of a machine can read. */
function linesIn(content: string): Readonly<Record<string, string>> {
  const lines = content
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  return inputsIn(lines, "--access-file") ?? {};
}

const marks = { written: "in the zone", manual: "add by hand", none: "nothing to do" } as const;

function sendingText(all: readonly SendingDomain[], width: number | null): string {
  if (all.length === 0) return "There is none.";
  return all.map((one) => domainText(one, width)).join("\n\n");
}

function domainText(sending: SendingDomain, width: number | null): string {
  const { provider, domain, status, records, spf, notes, account_error: error } = sending;
  const lines = records.map(({ host, type, value, priority, action, status: seen }) => {
    const shown = priority === null ? value : `${priority} ${value}`;
    return `  ${host} ${type} ${shown}\n    ${marks[action]}, ${seen ?? "not checked yet"}`;
  });
  const isGood = status === "ready" || status === "accepted";
  return [
    `${paint("bold", domain)} at ${provider}: ${paint(isGood ? "green" : "yellow", status)}`,
    ...lines,
    ...(spf?.action === "replace" ? [`Replace the SPF record ${spf.current} by ${spf.value}`] : []),
    ...(error === null ? [] : [wrap(error, width, "")]),
    ...notes.map((note) => wrap(note, width, "")),
  ].join("\n");
}
