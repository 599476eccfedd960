import { endOfName, tokenPattern, usualName } from "./field-names.ts";

/** Alternating names and values; names in lower case, in the order received. */
export type Fields = readonly string[];

/** RFC 9110 §5.5: visible characters, blanks and obs-text; no other control character. */
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;

/** By code: what a value may have is 1. */
const valueCodes = new Uint8Array(256);
for (let code = 0; code < 256; code += 1) {
  if (valuePattern.test(String.fromCharCode(code))) valueCodes[code] = 1;
}

const tab = 0x09;
const lf = 0x0a;
const cr = 0x0d;
const space = 0x20;
const colon = 0x3a;

/** Bytes of a message and the same as text; `at` is where the text begins in the bytes. */
interface MessageText {
  readonly bytes: Buffer;
  readonly text: string;
  readonly at: number;
}

/**
 * Parses the field lines from `from` to `end` in the bytes, where the bytes or the last line end.
 * Null when one of them is not exactly `name: value`: a folded line, white space before the colon,
 * a stray line end. One pass over the bytes takes half the time of patterns for each line.
 */
export function parseFields(message: MessageText, from: number, end: number): string[] | null {
  const { bytes, text, at: start } = message;
  const fields: string[] = [];
  let at = from;
  for (;;) {
    const nameEnd = endOfName(bytes, at);
    if (nameEnd === at || bytes[nameEnd] !== colon) return null;
    const name =
      usualName(bytes, at, nameEnd) ?? text.slice(at - start, nameEnd - start).toLowerCase();
    const valueAt = skipBlanks(bytes, nameEnd + 1);
    const lineEnd = endOfValue(bytes, valueAt);
    const valueEnd = withoutBlanks(bytes, valueAt, lineEnd);
    fields.push(name, text.slice(valueAt - start, valueEnd - start));
    if (lineEnd === end) return fields;
    if (bytes[lineEnd] !== cr || bytes[lineEnd + 1] !== lf) return null;
    at = lineEnd + 2;
  }
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (isBlank(bytes[at] ?? 0)) at += 1;
  return at;
}

function endOfValue(bytes: Buffer, from: number): number {
  let at = from;
  while (valueCodes[bytes[at] ?? 0] === 1) at += 1;
  return at;
}

/** Unlike `trim()`, leaves the no-break space, which is part of a value. */
function withoutBlanks(bytes: Buffer, from: number, to: number): number {
  let end = to;
  while (end > from && isBlank(bytes[end - 1] ?? 0)) end -= 1;
  return end;
}

export function isField(name: string, value: string): boolean {
  return tokenPattern.test(name) && valuePattern.test(value);
}

function isBlank(code: number): boolean {
  return code === space || code === tab;
}

/** The elements of a comma-separated list in lower case, without empty ones (RFC 9110 §5.6.1). */
export function splitList(value: string): string[] {
  if (!value.includes(",")) {
    const only = value.trim().toLowerCase();
    return only === "" ? [] : [only];
  }
  return value
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

export const noNames: readonly string[] = [];

/** The names and those that the value of another line lists. */
export function joinedNames(names: readonly string[], value: string): readonly string[] {
  const more = splitList(value);
  return names.length === 0 ? more : [...names, ...more];
}

export function fieldValue(fields: Fields, name: string): string | null {
  for (let index = 0; index < fields.length; index += 2) {
    if (fields[index] === name) return fields[index + 1] ?? "";
  }
  return null;
}

/** RFC 9110 §6.5.1: fields that must not be sent as trailers. */
const forbiddenTrailers = new Set([
  "authorization",
  "cache-control",
  "connection",
  "content-encoding",
  "content-length",
  "content-range",
  "content-type",
  "cookie",
  "expect",
  "host",
  "keep-alive",
  "max-forwards",
  "pragma",
  "proxy-authorization",
  "proxy-connection",
  "range",
  "set-cookie",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
  "cdn-loop",
]);

/**
 * The trailers that may be forwarded; `isDropped` names fields that are dropped from heads as well.
 */
export function safeTrailers(fields: Fields, isDropped: (name: string) => boolean): string[] {
  const safe: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? "";
    if (forbiddenTrailers.has(name) || isDropped(name)) continue;
    safe.push(name, fields[index + 1] ?? "");
  }
  return safe;
}

/** The fields as HTTP/1.1 lines, each with its line end. */
export function fieldLines(fields: Fields): string {
  let text = "";
  for (let index = 0; index < fields.length; index += 2) {
    text += `${fields[index]}: ${fields[index + 1]}\r\n`;
  }
  return text;
}
