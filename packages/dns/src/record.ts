import { isIPv4, isIPv6 } from "node:net";
import { foreignText } from "./foreign-text.ts";
import { normalizeName } from "./name.ts";

/** The types that the service writes and compares. ALIAS is a provider's flattened CNAME. */
export const recordTypes = [
  "A",
  "AAAA",
  "CNAME",
  "ALIAS",
  "TXT",
  "MX",
  "CAA",
  "NS",
  "SRV",
] as const;
export type RecordType = (typeof recordTypes)[number];

/**
 * One resource record in canonical form, so that equality of records is equality of strings.
 * - `name`: absolute, lower-case A-label, no trailing dot.
 * - `value`: host targets like `name` (`.` is the root); TXT is the joined raw text, unquoted;
 *   CAA is `0 issue "ca.example"`; SRV is `weight port target`.
 * - `priority`: MX preference or SRV priority, null for every other type.
 */
export interface DnsRecord {
  readonly name: string;
  readonly type: RecordType;
  readonly value: string;
  readonly ttl: number;
  readonly priority: number | null;
  /** A setting of the provider beside the value; only records that were read have one. */
  readonly setting?: RecordSetting;
}

/**
 * What a provider does with a record beyond answering with its value, such as proxying it. A record
 * with a setting is another one than the plain record; replaced and restored, it gets the setting
 * back.
 */
export interface RecordSetting {
  /** Opaque to all but the adapter. */
  readonly key: string;
  /** What retaining it at the record that replaces this one means, likewise. */
  readonly retained?: string;
  /** What its replacement means, as a sentence for the person who decides. */
  readonly note: string;
}

export interface RecordInput {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
  readonly priority?: number | null | undefined;
}

export type ParsedRecord =
  | { readonly ok: true; readonly record: DnsRecord }
  | {
      readonly ok: false;
      readonly field: "name" | "type" | "value" | "ttl" | "priority";
      readonly message: string;
    };

/** RFC 2181 §8: a TTL is a 31-bit number. */
const maxTtlSeconds = 2_147_483_647;

export function isRecordType(type: string): type is RecordType {
  return (recordTypes as readonly string[]).includes(type);
}

function hasPriority(type: RecordType): boolean {
  return type === "MX" || type === "SRV";
}

/** Checks every field and gives the canonical record; `type` is accepted in any case. */
export function parseRecord(input: RecordInput): ParsedRecord {
  const type = input.type.toUpperCase();
  if (!isRecordType(type))
    return wrong("type", `Record type must be one of ${recordTypes.join(", ")}.`);
  const name = normalizeName(input.name);
  if (name === null) return wrong("name", "The record's name is not a valid DNS name.");
  if (!isIntegerWithin(input.ttl, maxTtlSeconds)) {
    return wrong("ttl", "The TTL must be a whole number of seconds, 0 to 2147483647.");
  }
  const priority = input.priority ?? null;
  const priorityProblem = refusePriority(type, priority);
  if (priorityProblem !== null) return wrong("priority", priorityProblem);
  const value = parseValue(type, input.value);
  if (!value.ok) return wrong("value", value.message);
  return { ok: true, record: { name, type, value: value.value, ttl: input.ttl, priority } };
}

function wrong(field: (ParsedRecord & { ok: false })["field"], message: string): ParsedRecord {
  return { ok: false, field, message };
}

function refusePriority(type: RecordType, priority: number | null): string | null {
  if (!hasPriority(type)) return priority === null ? null : `${type} records have no priority.`;
  if (priority !== null && isIntegerWithin(priority, 65_535)) return null;
  return `${type} records need a priority, 0 to 65535.`;
}

function isIntegerWithin(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= max;
}

/** Same data at the same name. The TTL is left out: it is advice to caches, not content. */
export function sameRecord(a: DnsRecord, b: DnsRecord): boolean {
  return recordKey(a) === recordKey(b);
}

/** A key under which equal records (TTL aside) collide and different ones do not. */
export function recordKey(record: DnsRecord): string {
  const { name, type, priority, value, setting } = record;
  const plain = [name, type, priority, value];
  return JSON.stringify(setting === undefined ? plain : [...plain, setting.key]);
}

export type ParsedValue =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly message: string };

/** Far above any SPF, DKIM or token text, far below what a UDP-less answer could carry. */
const maxTxtBytes = 4_096;
const maxCaaValueBytes = 1_024;

const valueParsers = {
  A: parseA,
  AAAA: parseAaaa,
  CNAME: parseTarget,
  ALIAS: parseTarget,
  NS: parseTarget,
  MX: parseTargetOrRoot,
  TXT: parseTxt,
  CAA: parseCaa,
  SRV: parseSrv,
} as const satisfies Readonly<Record<string, (value: string) => ParsedValue>>;

/** The types whose values have a grammar here. */
type ValueType = keyof typeof valueParsers;

/** Checks a value against its type's grammar and gives the canonical spelling. */
export function parseValue(type: ValueType, value: string): ParsedValue {
  return valueParsers[type](value);
}

function good(value: string): ParsedValue {
  return { ok: true, value };
}

function bad(message: string): ParsedValue {
  return { ok: false, message };
}

function parseA(value: string): ParsedValue {
  return isIPv4(value) ? good(value) : bad("An A record needs an IPv4 address, like 192.0.2.1.");
}

function parseAaaa(value: string): ParsedValue {
  const canonical = canonicalIpv6(value);
  return canonical === null
    ? bad("An AAAA record needs an IPv6 address, like 2001:db8::1.")
    : good(canonical);
}

/** RFC 5952 form, mixed notation for IPv4-mapped addresses (§5); null for anything else. */
export function canonicalIpv6(value: string): string | null {
  if (!isIPv6(value) || value.includes("%")) return null;
  const compressed = new URL(`http://[${value}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(compressed);
  if (mapped === null) return compressed;
  const [high, low] = [Number.parseInt(mapped[1] ?? "", 16), Number.parseInt(mapped[2] ?? "", 16)];
  return `::ffff:${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

function parseTarget(value: string): ParsedValue {
  const target = value.startsWith("*") ? null : normalizeName(value);
  return target === null
    ? bad("The target must be a hostname, like target.example.com.")
    : good(target);
}

/** RFC 7505 §3 (null MX) and RFC 2782 ("service decidedly not available") give `.` a meaning. */
function parseTargetOrRoot(value: string): ParsedValue {
  return value === "." ? good(".") : parseTarget(value);
}

function parseTxt(value: string): ParsedValue {
  if (value === "") return bad("A TXT record needs a text.");
  if (Buffer.byteLength(value) > maxTxtBytes) {
    return bad(`A TXT record's text may have at most ${maxTxtBytes} bytes.`);
  }
  // U+FFFD replaces in what is read what cannot be decoded or shown; no wanted text may equal it.
  if (/[\p{Cc}\p{Cs}\ufffd]/u.test(value) || foreignText(value) !== value)
    return bad("A TXT record cannot hold control characters.");
  return good(value);
}

/** RFC 8659 §4.1.1: flags, tag, and a value in quotes; quotes may be left out around plain text. */
function parseCaa(value: string): ParsedValue {
  const parts =
    /^(\d{1,3})[ \t]+([A-Za-z0-9]{1,15})[ \t]+(?:"((?:[^"\\]|\\.)*)"|([^\s"\\]+))$/.exec(value);
  const flags = Number(parts?.[1] ?? Number.NaN);
  if (parts === null || flags > 255) {
    return bad('A CAA record needs flags, tag and quoted value, like 0 issue "ca.example".');
  }
  const text = parts[3]?.replace(/\\(.)/g, "$1") ?? parts[4] ?? "";
  if (text.length > maxCaaValueBytes || !/^[\x20-\x7e]*$/.test(text)) {
    return bad("A CAA value must be plain printable text of at most 1024 characters.");
  }
  return good(printCaa(flags, parts[2] ?? "", text));
}

export function printCaa(flags: number, tag: string, text: string): string {
  return `${flags} ${tag.toLowerCase()} "${text.replace(/["\\]/g, "\\$&")}"`;
}

/** RFC 2782 with the priority apart: weight, port, target. */
function parseSrv(value: string): ParsedValue {
  const parts = /^(\d{1,5})[ \t]+(\d{1,5})[ \t]+(\S+)$/.exec(value);
  const [weight, port] = [Number(parts?.[1] ?? Number.NaN), Number(parts?.[2] ?? Number.NaN)];
  const target = parseTargetOrRoot(parts?.[3] ?? "");
  if (!(weight <= 65_535 && port <= 65_535 && target.ok)) {
    return bad("An SRV record needs weight, port and target, like 5 5060 sip.example.com.");
  }
  return good(`${weight} ${port} ${target.value}`);
}
