import { usageFailure } from "../explain.ts";

/** A record for the sandbox; its host may be relative to the zone. */
export interface ZoneRecord {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number | null;
  readonly priority: number | null;
}

const types = ["A", "AAAA", "CNAME", "ALIAS", "TXT", "MX", "CAA", "NS", "SRV"];
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** What a line inherits from those before it. */
interface ZoneCursor {
  readonly origin: string;
  readonly ttl: number | null;
  readonly host: string;
}

/**
 * Reads a zone file (RFC 1035 §5.1), one record a line: `host [ttl] [IN] type value`. A line that
 * begins with a space repeats the host of the line before. SOA is skipped, since every sandbox zone
 * has one; parentheses and $INCLUDE are refused.
 */
export function parseZoneText(content: string, zone: string): readonly ZoneRecord[] {
  const records: ZoneRecord[] = [];
  let cursor: ZoneCursor = { origin: zone, ttl: null, host: "@" };
  content.split(/\r?\n/).forEach((line, index) => {
    try {
      const read = readLine(line, cursor);
      if (read.record !== null) records.push(read.record);
      cursor = read.cursor;
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      throw usageFailure(`line ${index + 1}: ${error.message}`);
    }
  });
  return records;
}

class LineProblem extends Error {}

function readLine(
  line: string,
  cursor: ZoneCursor,
): { readonly record: ZoneRecord | null; readonly cursor: ZoneCursor } {
  const tokens = tokenize(line);
  const [first] = tokens;
  if (first === undefined) return { record: null, cursor };
  if (!first.isQuoted && first.text.startsWith("$")) {
    return { record: null, cursor: directive(tokens, cursor) };
  }
  const isContinued = /^\s/.test(line);
  const host = isContinued ? cursor.host : first.text;
  const rest = isContinued ? tokens : tokens.slice(1);
  const { ttl, at } = beforeType(rest);
  const type = rest[at]?.text.toUpperCase() ?? "";
  const here = { ...cursor, host };
  if (type === "SOA") return { record: null, cursor: here };
  if (!types.includes(type)) {
    throw new LineProblem(
      type === "" ? "a record is host type value" : `there is no type ${type}: ${types.join(", ")}`,
    );
  }
  const record = parseRecord(
    hostIn(host, cursor.origin),
    type,
    rest.slice(at + 1),
    ttl ?? cursor.ttl,
  );
  return { record, cursor: here };
}

function directive(tokens: readonly Token[], cursor: ZoneCursor): ZoneCursor {
  const [name, value] = tokens.map(({ text }) => text);
  if (name?.toUpperCase() === "$ORIGIN" && value) {
    return { ...cursor, origin: value.replace(/\.$/, "") };
  }
  const ttl = value === undefined ? null : parseSeconds(value);
  if (name?.toUpperCase() === "$TTL" && ttl !== null) return { ...cursor, ttl };
  throw new LineProblem(`${name} is not understood here`);
}

/** TTL and class may come in either order. */
function beforeType(tokens: readonly Token[]): {
  readonly ttl: number | null;
  readonly at: number;
} {
  let ttl: number | null = null;
  let at = 0;
  for (const token of tokens.slice(0, 2)) {
    const seconds = parseSeconds(token.text);
    if (seconds === null && token.text.toUpperCase() !== "IN") break;
    ttl = seconds ?? ttl;
    at += 1;
  }
  return { ttl, at };
}

function parseSeconds(text: string): number | null {
  const found = /^(\d{1,9})([smhdw]?)$/i.exec(text);
  if (!found) return null;
  return Number(found[1]) * (units[(found[2] ?? "").toLowerCase() || "s"] ?? 1);
}

function parseRecord(
  host: string,
  type: string,
  data: readonly Token[],
  ttl: number | null,
): ZoneRecord {
  if (data.length === 0) throw new LineProblem(`${type} has no value`);
  const texts = data.map(({ text }) => text);
  if (type === "TXT") {
    // Several strings are one value (RFC 7208 §3.3); unquoted words are joined with spaces.
    const value = data.every(({ isQuoted }) => isQuoted) ? texts.join("") : texts.join(" ");
    return { host, type, value, ttl, priority: null };
  }
  if ((type === "MX" || type === "SRV") && texts.length > 1) {
    return {
      host,
      type,
      value: texts.slice(1).join(" "),
      ttl,
      priority: parseNumber(texts[0] ?? ""),
    };
  }
  return {
    host,
    type,
    value: type === "CAA" ? caaValue(data) : texts.join(" "),
    ttl,
    priority: null,
  };
}

function caaValue(data: readonly Token[]): string {
  return data.map(({ text, isQuoted }) => (isQuoted ? `"${text}"` : text)).join(" ");
}

function parseNumber(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new LineProblem(`${text} is no priority`);
}

/**
 * Makes a host absolute: the API would take a relative one as relative to the zone, not to $ORIGIN.
 */
function hostIn(host: string, origin: string): string {
  if (host === "@") return origin;
  return host.endsWith(".") ? host.slice(0, -1) : absolute(host, origin);
}

function absolute(host: string, origin: string): string {
  return host === origin || host.endsWith(`.${origin}`) ? host : `${host}.${origin}`;
}

interface Token {
  readonly text: string;
  readonly isQuoted: boolean;
}

function tokenize(line: string): Token[] {
  const tokens: Token[] = [];
  for (const [whole] of line.matchAll(/"(?:[^"\\]|\\.)*"|;.*|[^\s";]+|"/g)) {
    if (whole.startsWith(";")) break;
    if (whole === "(" || whole === ")") throw new LineProblem("write each record on one line");
    if (whole === '"') throw new LineProblem("a quotation mark is not closed");
    tokens.push(
      whole.startsWith('"')
        ? { text: whole.slice(1, -1).replaceAll(/\\(.)/g, "$1"), isQuoted: true }
        : { text: whole, isQuoted: false },
    );
  }
  return tokens;
}
