import type { EmailRecords, GenerateEmail } from "@mooring/sdk";
import { Argument, type Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { apiCommand, examples } from "../api-command.ts";
import { usageFailure } from "../explain.ts";
import { isTextList } from "../input.ts";
import { wrap } from "../text/paint.ts";
import { recordTable } from "../text/table.ts";

type Mailbox = GenerateEmail["provider"];
const mailboxes: readonly Mailbox[] = [
  "google_workspace",
  "google",
  "microsoft_365",
  "microsoft365",
  "zoho",
  "fastmail",
  "proton",
  "icloud",
];

export function addEmail(program: Command, action: RegisterAction): void {
  const email = program.command("email").description("the mail records of a domain");
  const records = email
    .command("records")
    .description("list the records that a mailbox provider needs; reads no DNS, writes nothing")
    .argument("<domain>", "the part of the addresses behind the @")
    .addArgument(new Argument("<provider>", "a mailbox provider").choices(mailboxes))
    .option("--input <name=value...>", "a value from the provider's console");
  examples(
    records,
    "mooring email records acme.com google_workspace",
    "mooring email records acme.com zoho --input data_centre=eu",
  );
  apiCommand(
    action,
    records,
    async ({ client, output, args: [domain = "", name], options, width }) => {
      const provider = mailboxes.find((one) => one === name) ?? "google_workspace";
      const inputs = inputsIn(options["input"], "--input");
      const body = { domain, provider, ...(inputs === null ? {} : { inputs }) };
      const made = await client.email.records(body);
      output.result(recordsText(made, width), made);
      return undefined;
    },
  );
}

/** `name=value` pairs of an option; null when it was not given. */
export function inputsIn(value: unknown, option: string): Readonly<Record<string, string>> | null {
  if (!isTextList(value)) return null;
  const pairs = value.map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw usageFailure(`${option} takes name=value, not ${text}`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs);
}

function recordsText({ records, notes }: EmailRecords, width: number | null): string {
  const shown = notes.map((note) => wrap(note, width, ""));
  return [recordTable(records), ...(shown.length > 0 ? ["", ...shown] : [])].join("\n");
}
