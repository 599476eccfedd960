import {
  activateKey,
  createDomainConnectKey,
  type KeyReport,
  listDomainConnectKeys,
  retireKey,
} from "@mooring/control";
import type { Command } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import { type Output, table } from "../../output.ts";
import { withDatabase } from "../database/database.ts";

/** Asking every server of the key domain takes seconds at most. */
const timeoutMs = 15_000;

/** `mooring domain-connect keys`: the keys that sign links to DNS providers. */
export function addDomainConnect(program: Command, action: RegisterAction): void {
  const keys = program
    .command("domain-connect")
    .description("how this installation signs links to DNS providers (Domain Connect)")
    .command("keys")
    .description("the keys that sign the links, and their records in DNS");
  addList(keys, action);
  addCreate(keys, action);
  addEnds(keys, action);
}

function addList(keys: Command, action: RegisterAction): void {
  const list = keys
    .command("list", { isDefault: true })
    .description("the keys, what each is used for, and whether DNS has them");
  action(list, (output) =>
    withDatabase(output, async (runtime) => {
      const found = await listDomainConnectKeys(runtime, AbortSignal.timeout(timeoutMs));
      const rows = found.map((key) => [
        key.label,
        useLabels[key.use],
        publicationText(key),
        key.createdAt.toISOString(),
        key.name,
      ]);
      const text =
        found.length === 0
          ? "There is no key yet: make one with `mooring domain-connect keys create`."
          : table(["LABEL", "USE", "DNS", "CREATED", "NAME"], rows);
      output.result(text, { keys: found.map(keyValue) });
      return exitCode.done;
    }),
  );
}

function addCreate(keys: Command, action: RegisterAction): void {
  const create = keys
    .command("create")
    .alias("rotate")
    .description("make a key; it starts to sign once DNS has its records")
    .option("--activate", "sign with it at once, whether or not DNS has it")
    .addHelpText("after", rotateHelp);
  action(create, (output, _, options) =>
    withDatabase(output, async (runtime) => {
      const activate = options["activate"] === true;
      const signal = AbortSignal.timeout(timeoutMs);
      const made = await createDomainConnectKey(runtime, { activate }, signal);
      const next = activate
        ? `${made.label} signs the links from now on.`
        : `${made.label} signs the links as soon as DNS has these records.`;
      show(output, made, ["Publish these TXT records:", "", ...recordLines(made), "", next]);
      return exitCode.done;
    }),
  );
}

function addEnds(keys: Command, action: RegisterAction): void {
  const activate = keys
    .command("activate")
    .description("sign with a key whether or not DNS has it")
    .argument("<label>", "such as _dck2");
  action(activate, (output, [label = ""]) =>
    withDatabase(output, async (runtime) => {
      const done = await activateKey(runtime, label, AbortSignal.timeout(timeoutMs));
      show(output, done, [`${label}: ${useLabels[done.use]}; DNS: ${publicationText(done)}`]);
      return exitCode.done;
    }),
  );
  const retire = keys
    .command("retire")
    .description("end a key for good")
    .argument("<label>", "such as _dck1")
    .option("--force", "also when no other key is in use");
  action(retire, (output, [label = ""], options) =>
    withDatabase(output, async (runtime) => {
      const force = options["force"] === true;
      const done = await retireKey(runtime, label, { force }, AbortSignal.timeout(timeoutMs));
      show(output, done, [
        `${label} is retired.`,
        `Customers may still follow links that it signed: leave the TXT records at ${done.name} for an hour, then remove them.`,
      ]);
      return exitCode.done;
    }),
  );
}

const rotateHelp = `
How to change the key without a pause:
  1. mooring domain-connect keys create, and publish the records that it prints
  2. mooring domain-connect keys list, until DNS has them; the new key then starts to sign
  3. mooring domain-connect keys retire OLD, and an hour later remove its records
Links that the old key signed are valid until its records are removed.`;

function show(output: Output, key: KeyReport, lines: readonly string[]): void {
  output.result(lines.join("\n"), keyValue(key));
}

function keyValue(key: KeyReport) {
  return {
    label: key.label,
    use: key.use,
    name: key.name,
    records: key.records,
    dns: key.publication.state,
    dns_reason: key.publication.state === "wrong" ? key.publication.reason : null,
    created_at: key.createdAt,
    activated_at: key.activatedAt,
    retired_at: key.retiredAt,
  };
}

const useLabels: Readonly<Record<KeyReport["use"], string>> = {
  waiting: "waits for DNS",
  signing: "signs",
  superseded: "verifies until retired",
  retired: "retired",
};

/** The state in DNS, and what to do about it where that is not obvious. */
function publicationText({ publication, use }: KeyReport): string {
  switch (publication.state) {
    case "published":
      return use === "retired" ? "still there: remove the records" : "published";
    case "missing":
      return use === "retired" ? "removed" : "missing";
    case "unknown":
      return "could not be asked";
    case "wrong":
      return `wrong: ${publication.reason}`;
  }
}

/** Zone file lines; each text is one character-string, as verifiers expect. */
function recordLines({ name, records }: Pick<KeyReport, "name" | "records">): string[] {
  return records.map((text) => `${name}. 3600 IN TXT "${text}"`);
}
