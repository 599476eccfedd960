import { createPublicKey } from "node:crypto";
import { isAtOrBelow } from "../name.ts";
import { type DnsRecord, parseRecord, type RecordType } from "../record.ts";
import { derivedMicrosoftMx } from "./mx-host.ts";
import { type MailNote, mailNote } from "./notes.ts";
import { findMailboxProvider, type MailboxKey, type MailboxPreset } from "./presets.ts";

export type MailRole = "mx" | "spf" | "dkim" | "dmarc" | "discovery" | "verification";

export interface MailRecord {
  readonly role: MailRole;
  readonly record: DnsRecord;
}

/** Everything that a mail domain needs at a provider, as far as it is known. */
export interface MailSet {
  readonly provider: MailboxKey;
  readonly domain: string;
  readonly records: readonly MailRecord[];
  /** The mechanism that the domain's SPF record must have. */
  readonly spfTerm: string;
  readonly notes: readonly MailNote[];
}

export type MailInputs = Readonly<Record<string, string>>;

export interface MailRequest {
  /** A canonical hostname. */
  readonly domain: string;
  /** A key or an alias of a provider. */
  readonly provider: string;
  readonly inputs?: MailInputs | undefined;
}

export type Generated =
  | { readonly ok: true; readonly set: MailSet }
  | {
      readonly ok: false;
      /** `path` is `provider`, `domain` or `inputs.<key>`. */
      readonly issues: readonly { readonly path: string; readonly message: string }[];
    };

/** All providers accept it, and Microsoft asks for it. */
const ttlSeconds = 3_600;

/**
 * The mail records of a domain at a provider. Pure; values that only the console shows are never
 * guessed.
 */
export function generateMail({ domain, provider, inputs = {} }: MailRequest): Generated {
  const preset = findMailboxProvider(provider);
  if (preset === null) return refused("provider", "is not a known mailbox provider");
  const issues = inputIssues(preset, inputs);
  if (issues.length > 0) return { ok: false, issues };
  const filled = trimmed(inputs);
  const spfTerm = makeSpfTerm(preset, filled);
  const requested = [
    ...mxRows(preset, filled),
    row("spf", "TXT", "@", `v=spf1 ${spfTerm} ~all`),
    ...dkimRows(preset, domain, filled),
    row("dmarc", "TXT", "_dmarc", dmarcValue(filled)),
    ...preset.discovery.map(({ label, type, value, priority }) =>
      row("discovery", type, label, value, priority),
    ),
    ...optional(filled["verification"], (value) => row("verification", "TXT", "@", value)),
  ];
  const records: MailRecord[] = [];
  for (const { role, label, ...rest } of requested) {
    const name = label === "@" ? domain : `${label}.${domain}`;
    const parsed = parseRecord({ ...rest, name, ttl: ttlSeconds });
    if (!parsed.ok) return refused("domain", `is too long for ${preset.name}`);
    records.push({ role, record: parsed.record });
  }
  const notes = chooseNotes(preset, domain, filled);
  return { ok: true, set: { provider: preset.key, domain, records, spfTerm, notes } };
}

function refused(path: string, message: string): Generated {
  return { ok: false, issues: [{ path, message }] };
}

interface Row {
  readonly role: MailRole;
  readonly type: RecordType;
  readonly label: string;
  readonly value: string;
  readonly priority: number | null;
}

function row(
  role: MailRole,
  type: RecordType,
  label: string,
  value: string,
  priority: number | null = null,
): Row {
  return { role, type, label, value, priority };
}

function optional<T>(value: string | undefined, make: (value: string) => T): readonly T[] {
  return value === undefined ? [] : [make(value)];
}

function inputIssues(preset: MailboxPreset, inputs: MailInputs) {
  return Object.entries(inputs).flatMap(([key, text]) => {
    const path = `inputs.${key}`;
    const input = preset.inputs.find((one) => one.key === key);
    if (input === undefined) {
      const known = preset.inputs.map((one) => one.key).join(", ");
      return [{ path, message: `unknown input; ${preset.name} takes ${known}` }];
    }
    const problem = findProblem(input.pattern, text.trim());
    return problem === null ? [] : [{ path, message: `${problem}. ${input.help}` }];
  });
}

function findProblem(pattern: RegExp | null, text: string): string | null {
  if (pattern !== null) return pattern.test(text) ? null : "does not have the expected form";
  const parsed = parseDkimValue(text);
  return parsed.ok ? null : parsed.message;
}

function trimmed(inputs: MailInputs): MailInputs {
  return Object.fromEntries(Object.entries(inputs).map(([key, text]) => [key, text.trim()]));
}

function pickDataCentre({ dataCentres }: MailboxPreset, filled: MailInputs): string {
  const [usual = ""] = Object.keys(dataCentres);
  return dataCentres[filled["data_centre"]?.toLowerCase() ?? usual] ?? "";
}

/**
 * Outside its first data centre Zoho's documents contradict each other; the console's value counts.
 */
function makeSpfTerm(preset: MailboxPreset, filled: MailInputs): string {
  const include = filled["spf_include"]?.toLowerCase();
  if (include !== undefined) return `include:${include}`;
  const [usual] = Object.values(preset.dataCentres);
  const centre = pickDataCentre(preset, filled);
  return centre === (usual ?? "") ? preset.spf : `include:${centre}`;
}

function mxRows(preset: MailboxPreset, filled: MailInputs): readonly Row[] {
  const host = filled["mx_host"];
  if (host !== undefined) return [row("mx", "MX", "@", host, 0)];
  const centre = pickDataCentre(preset, filled);
  return (preset.mx ?? []).map(([preference, name]) =>
    row("mx", "MX", "@", name.replace("{dc}", centre), preference),
  );
}

function dkimRows(preset: MailboxPreset, domain: string, filled: MailInputs): readonly Row[] {
  const { dkim } = preset;
  const alias = (selector: string, target: string) =>
    row("dkim", "CNAME", `${selector}._domainkey`, target);
  const fill = (template: string, selector: string, token: string) =>
    template.replace("{selector}", selector).replace("{domain}", domain).replace("{token}", token);
  switch (dkim.form) {
    case "derived":
      return dkim.selectors.map((one) => alias(one, fill(dkim.target, one, "")));
    case "given":
      return dkim.selectors.flatMap(({ selector, input }) =>
        optional(filled[input], (target) => alias(selector, target)),
      );
    case "shared": {
      const pattern = preset.inputs.find(({ key }) => key === dkim.input)?.pattern;
      const token = pattern?.exec(filled[dkim.input] ?? "")?.[1]?.toLowerCase();
      if (token === undefined) return [];
      return dkim.selectors.map((one) => alias(one, fill(dkim.target, one, token)));
    }
    case "key": {
      const parsed = parseDkimValue(filled["dkim_value"] ?? "");
      const selector = filled["dkim_selector"] ?? dkim.selector;
      return parsed.ok ? [row("dkim", "TXT", `${selector}._domainkey`, parsed.value)] : [];
    }
  }
}

/** RFC 7489 §6.3, RFC 9989: a monitoring policy; raising it is the owner's decision. */
function dmarcValue(filled: MailInputs): string {
  const address = filled["dmarc_report_to"];
  return address === undefined ? "v=DMARC1; p=none" : `v=DMARC1; p=none; rua=mailto:${address}`;
}

function chooseNotes(
  preset: MailboxPreset,
  domain: string,
  filled: MailInputs,
): readonly MailNote[] {
  const { dkim, mx } = preset;
  const needsDkim = dkim.form !== "derived" && dkimRows(preset, domain, filled).length === 0;
  const needsMx = mx === null && filled["mx_host"] === undefined;
  return [
    ...(needsMx ? mxNotes(domain) : []),
    ...(needsDkim ? [mailNote(dkim.missing)] : []),
    ...reportNotes(domain, filled["dmarc_report_to"]),
    ...preset.notes.map((code) => mailNote(code)),
  ];
}

function mxNotes(domain: string): readonly MailNote[] {
  const host = derivedMicrosoftMx(domain);
  const older = host === null ? [] : [mailNote("mx_host_older", { host })];
  return [mailNote("mx_host_needed"), ...older];
}

/** RFC 9990 §4, before it RFC 7489 §7.1. */
function reportNotes(domain: string, address: string | undefined): readonly MailNote[] {
  const host = address?.slice(address.indexOf("@") + 1).toLowerCase();
  if (host === undefined || isAtOrBelow(host, domain) || isAtOrBelow(domain, host)) return [];
  return [mailNote("dmarc_reports", { name: `${domain}._report._dmarc.${host}` })];
}

type DkimValue =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly message: string };

/** RFC 6376 §3.6.1; unknown tags are refused, so that nothing else can be published here. */
const tags = /^(?:v|k|h|s|t|n|g)$/;
/** RFC 8301 §3.2. */
const minKeyBits = 1_024;

/** A DKIM key record as a console shows it, perhaps cut into quoted pieces; checked and joined. */
export function parseDkimValue(text: string): DkimValue {
  const joined = text.trim().replace(/"\s*"/g, "").replace(/^"|"$/g, "");
  const parts = joined.split(";").map((part) => part.trim());
  const pairs = parts
    .filter((part) => part !== "")
    .map((part) => /^([a-z]+)\s*=\s*(.*)$/.exec(part));
  const values = new Map<string, string>();
  for (const [index, pair] of pairs.entries()) {
    const [, name = "", value = ""] = pair ?? [];
    if (!isGoodTag(name, value, index) || values.has(name)) return bad("is not a DKIM key record");
    values.set(name, name === "p" ? value.replace(/\s+/g, "") : value);
  }
  const problem = keyProblem(values.get("p") ?? "", values.get("k") ?? "rsa");
  if (problem !== null) return bad(problem);
  return { ok: true, value: [...values].map(([name, value]) => `${name}=${value}`).join("; ") };
}

function isGoodTag(name: string, value: string, index: number): boolean {
  if (name === "p") return /^[A-Za-z0-9+/=\s]+$/.test(value);
  // RFC 6376 §3.6.1: the version is first when it is there.
  if (name === "v") return index === 0 && value === "DKIM1";
  return tags.test(name) && /^[A-Za-z0-9:*.-]*$/.test(value);
}

function bad(message: string): DkimValue {
  return { ok: false, message };
}

function keyProblem(base64: string, algorithm: string): string | null {
  if (base64 === "") return "has no key (p=)";
  const bytes = Buffer.from(base64, "base64");
  if (algorithm === "ed25519") {
    // RFC 8463 §4.2: the key alone.
    return bytes.length === 32 ? null : "is not an Ed25519 key";
  }
  const bits = rsaBits(bytes);
  if (bits === null) return "is not a whole RSA key: copy all of it";
  return bits < minKeyBits ? `has a key of ${bits} bits, which receivers refuse` : null;
}

function rsaBits(der: Buffer): number | null {
  try {
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    return key.asymmetricKeyDetails?.modulusLength ?? null;
  } catch {
    // OpenSSL has many errors for bytes that are no key.
    return null;
  }
}
