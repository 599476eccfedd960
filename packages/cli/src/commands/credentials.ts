import type { Credential, CredentialField, CredentialTrial, Mooring, Provider } from "@mooring/sdk";
import type { Command } from "commander";
import { exitCode, type RegisterAction } from "../action.ts";
import { surroundings } from "../surroundings.ts";
import { type ApiCall, apiCommand, examples } from "./api-command.ts";
import { CommandFailure, usageFailure } from "./explain.ts";
import { ask, canAsk, parsedJson, readInput, textOrNull } from "./input.ts";
import { pageQuery, showPage, withPaging } from "./paging.ts";
import { applicationId } from "./references.ts";
import { paint } from "./text/paint.ts";
import { type Column, formatFields, formatTime, orDash } from "./text/table.ts";

const columns: readonly Column<Credential>[] = [
  { heading: "ID", cell: ({ id }) => id },
  { heading: "NAME", cell: ({ name }) => name, isElastic: true },
  { heading: "PROVIDER", cell: ({ provider }) => provider },
  { heading: "ZONE", cell: ({ zone }) => orDash(zone) },
  { heading: "ENDS IN", cell: ({ last4 }) => orDash(last4) },
  { heading: "LAST USED", cell: ({ last_used_at }) => formatTime(last_used_at) },
  { heading: "LAST ERROR", cell: ({ last_error }) => orDash(last_error), isElastic: true },
];

export function addCredentials(program: Command, action: RegisterAction): void {
  const credentials = program
    .command("credentials")
    .description("credentials for writing at DNS providers");
  const list = withApp(withPaging(credentials.command("list"))).description(
    "list an application's credentials; their fields are never shown",
  );
  examples(list, "mooring credentials list --app Shop");
  apiCommand(action, list, async (call) => {
    const listing = call.client.credentials.list(
      await findApplication(call),
      pageQuery(call.options),
    );
    await showPage(call, listing, columns, "There is no credential: mooring credentials add");
    return undefined;
  });
  addAdd(credentials, action);
  addTest(credentials, action);
  const remove = withApp(credentials.command("delete"))
    .description("delete a credential")
    .argument("<credential>", "its id");
  examples(remove, "mooring credentials delete 0198c0de-0000-7000-8000-000000000000");
  apiCommand(action, remove, async (call) => {
    const [id = ""] = call.args;
    await call.client.credentials.delete(await findApplication(call), id);
    call.output.result("the credential is deleted", { id, deleted: true });
    return undefined;
  });
}

function withApp(command: Command): Command {
  return command.option("--app <app>", "id or name (default: MOORING_APP, else the only one)");
}

function findApplication({ client, options }: ApiCall): Promise<string> {
  return applicationId(client, options["app"]);
}

function addAdd(credentials: Command, action: RegisterAction): void {
  const add = withFieldsOption(withApp(credentials.command("add")))
    .description("store a credential, sealed; its fields are asked for")
    .argument("<provider>", "slug, as in `mooring providers`")
    .option("--name <name>", "what to call it (default: the provider)")
    .option("--zone <zone>", "the one zone to use it for (default: every zone that it sees)");
  examples(
    add,
    "mooring credentials add cloudflare --app Shop",
    "mooring credentials add cloudflare --fields-file token.env",
    "pass show dns/cloudflare | sed 's/^/api_token=/' | mooring credentials add cloudflare",
  );
  add.addHelpText("after", fieldsHelp);
  apiCommand(action, add, async (call) => {
    const { client, output, args, options } = call;
    const app = await findApplication(call);
    const provider = await findProvider(client, args[0] ?? "");
    const zone = textOrNull(options["zone"]);
    const stored = await client.credentials.store(app, {
      provider: provider.slug,
      name: textOrNull(options["name"]) ?? provider.slug,
      fields: await readFields(provider, options),
      ...(zone === null ? {} : { zone }),
    });
    const fields = formatFields([
      ["Credential", stored.name],
      ["Id", stored.id],
      ["Provider", stored.provider],
      ["Zone", stored.zone ?? "every zone that it sees"],
    ]);
    output.result(`${fields}\n\nDoes it work? mooring credentials test ${stored.id}`, stored);
    return undefined;
  });
}

function addTest(credentials: Command, action: RegisterAction): void {
  const test = withApp(credentials.command("test"))
    .description("ask the provider whether a credential works; ends with 1 when not")
    .argument("<credential>", "its id");
  examples(test, "mooring credentials test 0198c0de-0000-7000-8000-000000000000 --app Shop");
  apiCommand(action, test, async (call) => {
    const trial = await call.client.credentials.test(
      await findApplication(call),
      call.args[0] ?? "",
    );
    call.output.result(trialText(trial), trial);
    return trial.ok ? exitCode.done : exitCode.failed;
  });
}

function trialText({ ok, zones, error }: CredentialTrial): string {
  if (!ok) return `${paint("red", "✘")} ${error?.message ?? "it does not work"}`;
  const scope = zones.length === 0 ? "but sees no zone" : `for ${zones.join(", ")}`;
  return `${paint("green", "✔")} it works, ${scope}`;
}

/** Secrets are never command-line arguments, which every user of a machine can read. */
export function withFieldsOption(command: Command): Command {
  return command.option(
    "--fields-file <file>",
    "the credential's fields, JSON or key=value lines; - is stdin (default: asked for)",
  );
}

export const fieldsHelp =
  "\nFields are asked for without being shown, or read from --fields-file or a pipe. They are never\ntaken from the command line, which other users of the machine can see.";

export async function findProvider(client: Mooring, slug: string): Promise<Provider> {
  const all = await client.providers.list();
  const found = all.find((provider) => provider.slug === slug);
  if (found) return found;
  const near = all.filter((one) => one.slug.startsWith(slug.slice(0, 3)));
  const hints = near.map((one) => `did you mean ${one.slug}?`);
  throw new CommandFailure(`there is no provider ${slug}`, {
    code: "not_found",
    hints: hints.length > 0 ? hints : ["`mooring providers` lists them"],
  });
}

/** Reads the fields from the file, from a pipe, or from the person at the terminal. */
export async function readFields(
  { name, credential_fields, credential_help }: Provider,
  options: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
  const file = textOrNull(options["fieldsFile"]);
  if (file !== null) return parseFields(await readInput(file), credential_fields);
  if (!surroundings().stdin.isTTY) return parseFields(await readInput("-"), credential_fields);
  if (!canAsk())
    throw usageFailure("the fields cannot be asked for without a terminal: give --fields-file");
  process.stderr.write(`${name}: ${credential_help}\n`);
  return askFields(credential_fields);
}

async function askFields(
  fields: readonly CredentialField[],
): Promise<Readonly<Record<string, string>>> {
  const answers: Record<string, string> = {};
  for (const { key, label, secret, required } of fields) {
    const question = `${label}${required ? "" : " (may be left empty)"}: `;
    const answer = await ask(question, { isSecret: secret });
    if (answer === null) throw usageFailure("cancelled");
    if (answer.trim() !== "") answers[key] = answer.trim();
  }
  return answers;
}

/** A JSON object of texts, or lines of `key=value`; a value extends to the end of its line. */
function parseFields(
  content: string,
  fields: readonly CredentialField[],
): Readonly<Record<string, string>> {
  const keys = fields.map(({ key }) => key);
  const input = fieldsIn(content);
  const unknown = Object.keys(input).filter((key) => !keys.includes(key));
  if (unknown.length > 0) {
    throw usageFailure(
      `there is no field ${unknown.join(", ")}`,
      `the fields are ${keys.join(", ")}`,
    );
  }
  const missing = fields.filter(({ key, required }) => required && !input[key]);
  if (missing.length > 0) {
    throw usageFailure(`the field ${missing.map(({ key }) => key).join(", ")} is missing`);
  }
  return input;
}

function fieldsIn(content: string): Readonly<Record<string, string>> {
  const value = parsedJson(content);
  if (isTexts(value)) return value;
  const lines = content
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const pairs = lines.map((line) => {
    const at = line.indexOf("=");
    // The line may contain a secret, so it is not repeated.
    if (at < 1) throw usageFailure("fields are a JSON object of texts, or lines of key=value");
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
  });
  return Object.fromEntries(pairs);
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => typeof one === "string");
}
