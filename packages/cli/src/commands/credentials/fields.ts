import type { CredentialField, Mooring, Provider } from "@mooring/sdk";
import type { Command } from "commander";
import { given } from "../client.ts";
import { CommandFailure, usageFailure } from "../explain.ts";
import { parsedJson, readInput } from "../input.ts";
import { ask, canAsk } from "../prompt.ts";

/** A credential's secrets never stand on the command line, where every user of a machine sees them. */
export function withFieldsOption(command: Command): Command {
  return command.option(
    "--fields-file <file>",
    "the credential's fields, JSON or key=value lines; - is stdin (default: asked for)",
  );
}

export const fieldsHelp =
  "\nFields are asked for without being shown, or read from --fields-file or a pipe. They are never\ntaken from the command line, which other users of the machine can see.";

export async function providerOf(client: Mooring, slug: string): Promise<Provider> {
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

/** From the file, a pipe or a person, in this order. */
export async function readFields(
  { name, credential_fields, credential_help }: Provider,
  options: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
  const file = given(options["fieldsFile"]);
  if (file !== null) return parseFields(await readInput(file), credential_fields);
  if (!process.stdin.isTTY) return parseFields(await readInput("-"), credential_fields);
  if (!canAsk()) throw usageFailure("nobody can be asked for the fields: give --fields-file");
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
    if (answer === null) throw usageFailure("given up");
    if (answer.trim() !== "") answers[key] = answer.trim();
  }
  return answers;
}

/** A JSON object of texts, or lines of `key=value`; a line's value goes to its end. */
export function parseFields(
  content: string,
  fields: readonly CredentialField[],
): Readonly<Record<string, string>> {
  const keys = fields.map(({ key }) => key);
  const given = fieldsIn(content);
  const unknown = Object.keys(given).filter((key) => !keys.includes(key));
  if (unknown.length > 0) {
    throw usageFailure(
      `there is no field ${unknown.join(", ")}`,
      `the fields are ${keys.join(", ")}`,
    );
  }
  const missing = fields.filter(({ key, required }) => required && !given[key]);
  if (missing.length > 0) {
    throw usageFailure(`the field ${missing.map(({ key }) => key).join(", ")} is missing`);
  }
  return given;
}

function fieldsIn(content: string): Readonly<Record<string, string>> {
  const value = parsedJson(content);
  if (isTexts(value)) return value;
  const lines = content
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const pairs = lines.map((line) => {
    const at = line.indexOf("=");
    // The line may hold a secret, and is not repeated.
    if (at < 1) throw usageFailure("fields are a JSON object of texts, or lines of key=value");
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
  });
  return Object.fromEntries(pairs);
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => typeof one === "string");
}
