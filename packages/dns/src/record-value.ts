import { isIPv4, isIPv6 } from "node:net";
import { normalizeName } from "./name.ts";

export type ParsedValue =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly message: string };

/** Far above any SPF, DKIM or token text, far below what a UDP-less answer could carry. */
const MAX_TXT_BYTES = 4_096;
const MAX_CAA_VALUE_BYTES = 1_024;

const PARSERS = {
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
type ValueType = keyof typeof PARSERS;

/** Checks a value against its type's grammar and gives the canonical spelling. */
export function parseValue(type: ValueType, value: string): ParsedValue {
  return PARSERS[type](value);
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
  if (Buffer.byteLength(value) > MAX_TXT_BYTES) {
    return bad(`A TXT record's text may have at most ${MAX_TXT_BYTES} bytes.`);
  }
  // U+FFFD stands for undecodable bytes in what was read, so that no wanted text may equal it.
  if (/[\p{Cc}\p{Cs}\ufffd]/u.test(value))
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
  if (text.length > MAX_CAA_VALUE_BYTES || !/^[\x20-\x7e]*$/.test(text)) {
    return bad("A CAA value must be plain printable text of at most 1024 characters.");
  }
  return good(printCaa(flags, parts[2] ?? "", text));
}

export function printCaa(flags: number, tag: string, text: string): string {
  return `${flags} ${tag.toLowerCase()} "${text.replace(/["\\]/g, "\\$&")}"`;
}

/** RFC 2782 with the priority held apart: weight, port, target. */
function parseSrv(value: string): ParsedValue {
  const parts = /^(\d{1,5})[ \t]+(\d{1,5})[ \t]+(\S+)$/.exec(value);
  const [weight, port] = [Number(parts?.[1] ?? Number.NaN), Number(parts?.[2] ?? Number.NaN)];
  const target = parseTargetOrRoot(parts?.[3] ?? "");
  if (!(weight <= 65_535 && port <= 65_535 && target.ok)) {
    return bad("An SRV record needs weight, port and target, like 5 5060 sip.example.com.");
  }
  return good(`${weight} ${port} ${target.value}`);
}
