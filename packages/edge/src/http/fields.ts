/** Alternating names and values; names in lower case, in the order received. */
export type Fields = readonly string[];

/** RFC 9110 §5.6.2. */
const tokenPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110 §5.5: visible characters, blanks and obs-text; no other control character. */
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Parses field lines without their line ends. Null when one of them is not exactly `name: value`: a
 * folded line, white space before the colon, a stray line end.
 */
export function parseFields(lines: readonly string[], from: number): string[] | null {
  const fields: string[] = [];
  for (let index = from; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const colon = line.indexOf(":");
    if (colon < 1) return null;
    const name = line.slice(0, colon);
    const value = withoutBlanks(line, colon + 1);
    if (!tokenPattern.test(name) || !valuePattern.test(value)) return null;
    fields.push(name.toLowerCase(), value);
  }
  return fields;
}

export function isField(name: string, value: string): boolean {
  return tokenPattern.test(name) && valuePattern.test(value);
}

/** Unlike `trim()`, leaves the no-break space, which is part of a value. */
function withoutBlanks(line: string, from: number): string {
  let start = from;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start += 1;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end -= 1;
  return line.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** The elements of a comma-separated list in lower case, without empty ones (RFC 9110 §5.6.1). */
export function listOf(value: string): string[] {
  return value
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
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

/** The trailers that may be forwarded; `isDropped` names fields that are dropped from heads as well. */
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
