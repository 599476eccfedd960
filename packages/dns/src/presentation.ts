import { normalizeName, toAbsolute } from "./name.ts";
import type { DnsRecord } from "./record.ts";

/**
 * A record's data as a zone file writes it (RFC 1035 §5.1): absolute targets, priority inside, TXT
 * quoted.
 */
export function presentData(record: DnsRecord): string {
  switch (record.type) {
    case "TXT":
      return quoteTxt(record.value);
    case "MX":
    case "SRV":
      return `${record.priority} ${absoluteTarget(record.value)}`;
    case "CNAME":
    case "ALIAS":
    case "NS":
      return absoluteTarget(record.value);
    default:
      return record.value;
  }
}

/** Adds the trailing dot to the target; the root (`.`) has it already. */
export function absoluteTarget(value: string): string {
  return value.endsWith(".") ? value : `${value}.`;
}

export interface ParsedData {
  readonly value: string;
  readonly priority: number | null;
}

/**
 * Reads zone-file data back into the fields of a record. A target without a closing dot is relative
 * to `origin`, or absolute when the origin is null. Null when the data does not have the type's
 * form.
 */
export function parseData(type: string, data: string, origin: string | null): ParsedData | null {
  switch (type) {
    case "TXT": {
      const value = unquoteTxt(data);
      return value === null ? null : { value, priority: null };
    }
    case "MX":
    case "SRV":
      return parsePrioritized(data, origin);
    case "CNAME":
    case "ALIAS":
    case "NS":
      return { value: readTarget(data, origin), priority: null };
    default:
      return { value: data, priority: null };
  }
}

function parsePrioritized(data: string, origin: string | null): ParsedData | null {
  const found = /^(\d{1,5})\s+(?:(\d{1,5}\s+\d{1,5})\s+)?(\S+)$/.exec(data.trim());
  if (found?.[3] === undefined) return null;
  const target = readTarget(found[3], origin);
  const value = found[2] === undefined ? target : `${found[2].replace(/\s+/, " ")} ${target}`;
  return { value, priority: Number(found[1]) };
}

/** "@" is the origin; the root is unchanged. */
export function readTarget(target: string, origin: string | null): string {
  if (target === ".") return target;
  if (target.endsWith(".")) return target.slice(0, -1);
  if (origin === null) return target;
  return toAbsolute(normalizeName(target) ?? target, origin);
}

/**
 * Data that ends in a target, such as the weight, port and host of a service, without the closing
 * dot; the root is unchanged.
 */
export function openTarget(data: string): string {
  return data === "." || data.endsWith(" .") ? data : data.replace(/\.$/, "");
}

export interface CaaParts {
  readonly flags: number;
  readonly tag: string;
  readonly text: string;
}

/** The three fields of a canonical CAA value. */
export function splitCaa(value: string): CaaParts {
  const found = /^(\d+) (\S+) "(.*)"$/s.exec(value);
  const [, flags = "0", tag = "", text = ""] = found ?? [];
  return { flags: Number(flags), tag, text: text.replace(/\\(.)/gs, "$1") };
}

export interface SrvParts {
  readonly weight: number;
  readonly port: number;
  readonly target: string;
}

/** The three fields of a canonical SRV value; the priority is a field of the record. */
export function splitSrv(value: string): SrvParts {
  const [weight = "0", port = "0", target = "."] = value.split(" ");
  return { weight: Number(weight), port: Number(port), target };
}

/** RFC 1035 §3.3: a character-string carries at most 255 octets. */
const maxStringBytes = 255;

/** The character-strings that a TXT text is sent as; an empty text is one empty string. */
export function splitTxt(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text, "utf8");
  const strings: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += maxStringBytes) {
    strings.push(bytes.subarray(at, at + maxStringBytes));
  }
  return strings;
}

/** The text that character-strings make together (RFC 7208 §3.3: no separator is put between). */
export function joinTxt(strings: readonly Uint8Array[]): string {
  return Buffer.concat(strings).toString("utf8");
}

/** Zone-file presentation: quoted strings of at most 255 octets, other octets as \DDD. */
export function quoteTxt(text: string): string {
  return splitTxt(text)
    .map((bytes) => `"${Array.from(bytes, quoteByte).join("")}"`)
    .join(" ");
}

/** Bare while the text is one character-string, in quoted parts when it is longer. */
export function quoteLongTxt(text: string): string {
  return splitTxt(text).length === 1 ? text : quoteTxt(text);
}

/** Reads a text that a provider gives bare or in quotes. Null when the quoting is broken. */
export function plainTxt(content: string): string | null {
  return content.startsWith('"') ? unquoteTxt(content) : content;
}

function quoteByte(byte: number): string {
  if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
  if (byte >= 0x20 && byte <= 0x7e) return String.fromCharCode(byte);
  return `\\${String(byte).padStart(3, "0")}`;
}

/**
 * Reads zone-file presentation back: quoted or bare strings with spaces between, \DDD and \X
 * escapes (RFC 1035 §5.1). Null when the quoting is broken.
 */
export function unquoteTxt(presentation: string): string | null {
  const strings: Buffer[] = [];
  const token = /[ \t]*(?:"((?:[^"\\]|\\[\s\S])*)"|((?:[^\s"\\]|\\[\s\S])+))(?=[ \t]|$)/y;
  const text = presentation.replace(/[ \t]+$/, "");
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    const bytes = found === null ? null : unescapeText(found[1] ?? found[2] ?? "");
    if (bytes === null) return null;
    strings.push(bytes);
  }
  return strings.length === 0 ? null : joinTxt(strings);
}

function unescapeText(text: string): Buffer | null {
  const parts: Buffer[] = [];
  for (const [piece] of text.matchAll(/\\\d{3}|\\[\s\S]|[^\\]+/g)) {
    const isCode = /^\\\d{3}$/.test(piece);
    if (isCode && Number(piece.slice(1)) > 255) return null;
    if (!isCode && /^\\\d/.test(piece)) return null;
    const literal = piece.startsWith("\\") ? piece.slice(1) : piece;
    parts.push(isCode ? Buffer.from([Number(piece.slice(1))]) : Buffer.from(literal, "utf8"));
  }
  return Buffer.concat(parts);
}
