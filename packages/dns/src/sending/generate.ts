import { parseDkimValue } from "../email/generate.ts";
import { type MailNote, mailNote } from "../email/notes.ts";
import { type DnsRecord, parseRecord } from "../record.ts";
import {
  findSendingProvider,
  type SendingKey,
  type SendingPreset,
  type SendingRole,
  type SendingRow,
} from "./presets.ts";

export interface SendingRecord {
  readonly role: SendingRole;
  readonly record: DnsRecord;
}

/** Everything that a sending domain needs at a service. */
export interface SendingSet {
  readonly provider: SendingKey;
  readonly domain: string;
  readonly records: readonly SendingRecord[];
  /** The mechanism that the domain's own SPF record must have; null where it needs none. */
  readonly spfTerm: string | null;
  readonly notes: readonly MailNote[];
}

export type SendingInputs = Readonly<Record<string, string>>;

export type GeneratedSending =
  | { readonly ok: true; readonly set: SendingSet }
  | {
      readonly ok: false;
      /** `path` is `provider`, `domain` or `inputs.<key>`. */
      readonly issues: readonly { readonly path: string; readonly message: string }[];
    };

const ttlSeconds = 3_600;

/**
 * The records of a sending domain. Pure; what only the console shows is required, never guessed.
 */
export function generateSending(request: {
  /** A canonical hostname. */
  readonly domain: string;
  readonly provider: string;
  readonly inputs: SendingInputs;
}): GeneratedSending {
  const { domain, provider, inputs } = request;
  const preset = findSendingProvider(provider);
  if (preset === null) return refused("provider", "is not a known service for sending mail");
  const issues = inputIssues(preset, inputs);
  if (issues.length > 0) return { ok: false, issues };
  const values = fillValues(preset, domain, inputs);
  const records: SendingRecord[] = [];
  for (const row of preset.rows) {
    const filled = fillRow(row, values, inputs);
    if (filled === null) continue;
    const name = filled.label === "@" ? domain : `${filled.label}.${domain}`;
    const { type, priority } = row;
    const parsed = parseRecord({ name, type, value: filled.value, ttl: ttlSeconds, priority });
    if (!parsed.ok) return refused("domain", `is too long for ${preset.name}`);
    records.push({ role: row.role, record: parsed.record });
  }
  const spfTerm = preset.spf === null ? null : fill(preset.spf, values);
  const notes = preset.notes.map((code) => mailNote(code));
  return { ok: true, set: { provider: preset.key, domain, records, spfTerm, notes } };
}

function refused(path: string, message: string): GeneratedSending {
  return { ok: false, issues: [{ path, message }] };
}

function inputIssues(preset: SendingPreset, inputs: SendingInputs) {
  const given = Object.entries(inputs).flatMap(([key, text]) => {
    const path = `inputs.${key}`;
    const known = preset.inputs.find((one) => one.key === key);
    if (known === undefined) {
      const keys = preset.inputs.map((one) => one.key).join(", ");
      return [{ path, message: `unknown input; ${preset.name} takes ${keys}` }];
    }
    const problem = findProblem(known.pattern, text.trim());
    return problem === null ? [] : [{ path, message: `${problem}. ${known.help}` }];
  });
  const missing = preset.inputs
    .filter(({ key, isRequired }) => isRequired && inputs[key] === undefined)
    .map(({ key, help }) => ({ path: `inputs.${key}`, message: `is required. ${help}` }));
  const [first] = preset.oneOf;
  const lacksAll = first !== undefined && !preset.oneOf.some((key) => inputs[key] !== undefined);
  const open = lacksAll
    ? [{ path: `inputs.${first}`, message: `${preset.oneOf.join(" or ")} is required` }]
    : [];
  return [...given, ...missing, ...open];
}

function findProblem(pattern: RegExp | null, text: string): string | null {
  if (pattern !== null) return pattern.test(text) ? null : "does not have the expected form";
  const parsed = parseDkimValue(text);
  return parsed.ok ? null : parsed.message;
}

/** What the placeholders stand for. */
function fillValues(
  preset: SendingPreset,
  domain: string,
  inputs: SendingInputs,
): ReadonlyMap<string, string> {
  const values = new Map([
    ["domain", domain],
    ["dashed", domain.replaceAll(".", "-")],
  ]);
  for (const { key, pattern, fallback } of preset.inputs) {
    const text = inputs[key]?.trim() ?? fallback;
    if (text === null) continue;
    if (pattern === null) {
      const parsed = parseDkimValue(text);
      if (parsed.ok) values.set(key, parsed.value);
      continue;
    }
    const isCode = key === "verification";
    values.set(key, isCode ? text : text.toLowerCase().replace(/\.$/, ""));
    const [, group] = pattern.exec(text) ?? [];
    if (group !== undefined) values.set(`${key}:1`, group.toLowerCase());
  }
  return values;
}

function fillRow(
  row: SendingRow,
  values: ReadonlyMap<string, string>,
  inputs: SendingInputs,
): { readonly label: string; readonly value: string } | null {
  if (row.unless !== undefined && inputs[row.unless] !== undefined) return null;
  const [label, value] = [fill(row.label, values), fill(row.value, values)];
  return label === null || value === null ? null : { label, value };
}

/** Null when a placeholder has no value. */
function fill(template: string, values: ReadonlyMap<string, string>): string | null {
  let isWhole = true;
  const text = template.replace(/\{([a-z0-9_]+(?::1)?)\}/g, (_, key: string) => {
    const value = values.get(key);
    if (value === undefined) isWhole = false;
    return value ?? "";
  });
  return isWhole ? text : null;
}
