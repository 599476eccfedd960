import { type Fields, fieldValue, isField, joinedNames, noNames, parseFields } from "./fields.ts";
import type { HeadScan } from "./head-scan.ts";

/** As `Via` names it (RFC 9110 §7.6.3). */
type HttpVersion = "1.0" | "1.1" | "2.0";

/** The length of a body: none, a known number of bytes, or marked by its last chunk. */
type Framing = "none" | "chunked" | number;

export interface RequestHead {
  readonly method: string;
  /** Path and query, or `*`. */
  readonly target: string;
  readonly version: HttpVersion;
  /** As sent; not yet compared with anything. */
  readonly authority: string;
  readonly fields: Fields;
  readonly framing: Framing;
  /** What `Connection` lists. */
  readonly connection: readonly string[];
  readonly expectsContinue: boolean;
  readonly isWebSocket: boolean;
  readonly acceptsTrailers: boolean;
}

export interface Rejection {
  readonly status: 400 | 405 | 408 | 417 | 431 | 501 | 505;
  /** For logs and tests; names the violated rule, never the bytes sent. */
  readonly reason: string;
}

const methodPattern = /^[A-Za-z][A-Za-z-]{0,31}$/;
/** Visible ASCII without `#`, and bytes above ASCII. */
const targetPattern = /^[\x21\x22\x24-\x7e\x80-\xff]+$/;
/** `*`, or a path of visible ASCII without `#` and of bytes above ASCII. */
const pathPattern = /^(?:\/[\x21\x22\x24-\x7e\x80-\xff]*|\*)$/;

const asciiPattern = /^[\x21-\x7e]*$/;

/** `PRI` begins an HTTP/2 connection (RFC 9113 §11.6): an origin must never see it as a request. */
const refusedMethods: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "PRI"]);

const lengthPattern = /^[0-9]{1,15}$/;
/** Bounds the work: each name is compared with all fields. */
const maxConnectionNames = 32;

const cr = 13;
const lf = 10;

/** Where a head is in the bytes, without the empty line that ends it. */
export interface HeadRange {
  readonly start: number;
  readonly end: number;
}

/** The head at the start of the bytes, of which the scan has read a part before. */
export function findHead(
  bytes: Buffer,
  maxBytes: number,
  scan: HeadScan,
): HeadRange | Rejection | "incomplete" {
  // RFC 9112 §2.2: one empty line before a request is ignored.
  const start = bytes[0] === cr && bytes[1] === lf ? 2 : 0;
  const end = scan.find(bytes, start);
  if (end === -1 || end > maxBytes) {
    if (bytes.length > maxBytes) return { status: 431, reason: "head size" };
    // Rejected at once, not when the head is complete.
    return scan.hasBareLineEnd(bytes) ? { status: 400, reason: "line end" } : "incomplete";
  }
  return { start, end };
}

/** Reads a request head (RFC 9112 §3, §5). */
export function parseRequestHead(
  bytes: Buffer,
  { start, end }: HeadRange,
  maxFields: number,
): RequestHead | Rejection {
  const text = bytes.toString("latin1", start, end);
  const found = text.indexOf("\r\n");
  const lineEnd = found === -1 ? text.length : found;
  const first = text.indexOf(" ");
  const second = text.indexOf(" ", first + 1);
  if (first === -1 || second === -1 || second > lineEnd) return bad("start line");
  const version = parseVersion(text.slice(second + 1, lineEnd));
  if (version === null) return bad("start line");
  if (version === "other") return { status: 505, reason: "version" };
  const message = { bytes, text, at: start };
  const fields = found === -1 ? [] : parseFields(message, start + lineEnd + 2, end);
  if (fields === null) return bad("field");
  if (hasTooMany(fields, maxFields)) return tooLarge("too many fields");
  const method = text.slice(0, first);
  const target = splitTarget(method, text.slice(first + 1, second));
  if (target === null) return bad("target");
  return assemble({ method, target: target.target, authority: target.authority, version, fields });
}

function parseVersion(text: string): "1.0" | "1.1" | "other" | null {
  if (text === "HTTP/1.1") return "1.1";
  if (text === "HTTP/1.0") return "1.0";
  return /^HTTP\/[0-9]\.[0-9]$/.test(text) ? "other" : null;
}

/** A request head from the fields of an HTTP/2 stream (RFC 9113 §8.3), by the rules of HTTP/1.1. */
export function headFromStream(
  raw: Fields,
  isWhole: boolean,
  limits: { readonly headBytes: number; readonly fields: number },
): RequestHead | Rejection {
  // The HTTP/2 layer applies a limit only after the client has acknowledged it.
  if (measureFields(raw) > limits.headBytes) return tooLarge("head size");
  const split = splitPseudo(raw);
  if (split === null) return { status: 400, reason: "field" };
  const { pseudo, fields } = split;
  if (hasTooMany(fields, limits.fields)) return tooLarge("too many fields");
  const target = pseudo.get(":path") ?? "";
  const method = pseudo.get(":method") ?? "";
  const protocol = pseudo.get(":protocol") ?? null;
  if (!isTarget(method, target) && (protocol !== null || method !== "CONNECT")) {
    return { status: 400, reason: "target" };
  }
  const authority = pseudo.get(":authority") ?? null;
  const parts = { target, authority, version: "2.0", fields } as const;
  if (protocol !== null) return webSocketHead({ ...parts, method }, protocol, isWhole);
  const head = assemble({ ...parts, method });
  return "method" in head ? reframe(head, isWhole) : head;
}

interface Parts {
  readonly method: string;
  readonly target: string;
  /** From an absolute-form target or `:authority`; must agree with `Host`. */
  readonly authority: string | null;
  readonly version: HttpVersion;
  readonly fields: Fields;
}

/** The rules for both HTTP versions. */
function assemble(parts: Parts): RequestHead | Rejection {
  const { method, version, fields } = parts;
  const isHttp10 = version === "1.0";
  if (!methodPattern.test(method)) return bad("method");
  if (refusedMethods.has(method)) return { status: 405, reason: "method" };
  const found = collect(fields);
  if (typeof found === "string") return bad(found);
  if (found.connection.length > maxConnectionNames) return bad("connection");
  const authority = parts.authority ?? found.host;
  if (authority === null) return bad("no host");
  const { host } = found;
  if (host !== null && host !== authority && host.toLowerCase() !== authority.toLowerCase()) {
    return bad("two hosts");
  }
  const framing = findFraming(found, isHttp10);
  if (framing === null) return bad("framing");
  const expect = found.expect?.toLowerCase() ?? null;
  if (expect !== null && expect !== "100-continue") return { status: 417, reason: "expect" };
  return {
    method,
    target: asciiPattern.test(parts.target) ? parts.target : percentEncoded(parts.target),
    version,
    authority,
    fields,
    framing,
    connection: found.connection,
    expectsContinue: expect !== null && !isHttp10 && framing !== "none",
    isWebSocket:
      method === "GET" &&
      !isHttp10 &&
      framing === "none" &&
      found.connection.includes("upgrade") &&
      found.upgrade?.toLowerCase() === "websocket",
    acceptsTrailers: found.te.includes("trailers"),
  };
}

interface Found {
  host: string | null;
  length: string | null;
  encoding: string | null;
  expect: string | null;
  upgrade: string | null;
  connection: readonly string[];
  te: readonly string[];
}

type Single = "host" | "length" | "encoding" | "expect" | "upgrade";

const singleFields: ReadonlyMap<string, Single> = new Map([
  ["host", "host"],
  ["content-length", "length"],
  ["transfer-encoding", "encoding"],
  ["expect", "expect"],
  ["upgrade", "upgrade"],
]);

/** Servers that turn other characters into `-` take these for the fields that frame a message. */
const framingAlias = /^(?:transfer[^a-z0-9-]encoding|content[^a-z0-9-]length)$/;
const framingLengths = { encoding: "transfer-encoding".length, length: "content-length".length };

/** The fields that control the message; a text when a field that must be single is repeated. */
function collect(fields: Fields): Found | string {
  const found: Found = {
    host: null,
    length: null,
    encoding: null,
    expect: null,
    upgrade: null,
    connection: noNames,
    te: noNames,
  };
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? "";
    const value = fields[index + 1] ?? "";
    const single = singleFields.get(name);
    if (single !== undefined) {
      if (found[single] !== null) return `two ${name}`;
      found[single] = value;
    } else if (name === "connection") found.connection = joinedNames(found.connection, value);
    else if (name === "te") found.te = joinedNames(found.te, value);
    else if (isFramingAlias(name)) return "framing alias";
  }
  return found;
}

function isFramingAlias(name: string): boolean {
  const { length } = name;
  if (length !== framingLengths.encoding && length !== framingLengths.length) return false;
  return framingAlias.test(name);
}

/** RFC 9112 §6.3, stricter: anything that two servers could read differently is rejected. */
function findFraming(found: Found, isHttp10: boolean): Framing | null {
  if (found.encoding !== null) {
    const isPlain = found.encoding.toLowerCase() === "chunked";
    return isPlain && found.length === null && !isHttp10 ? "chunked" : null;
  }
  if (found.length === null) return "none";
  return lengthPattern.test(found.length) ? Number(found.length) || "none" : null;
}

/** RFC 9112 §3.2: origin-form, absolute-form, or `*` for OPTIONS. */
function splitTarget(
  method: string,
  raw: string,
): { readonly target: string; readonly authority: string | null } | null {
  if (!targetPattern.test(raw)) return null;
  if (raw.startsWith("/")) return { target: raw, authority: null };
  if (raw === "*") return method === "OPTIONS" ? { target: "*", authority: null } : null;
  const absolute = /^https?:\/\/([^/?]+)(.*)$/i.exec(raw);
  if (absolute === null) return null;
  const rest = absolute[2] ?? "";
  return { target: rest.startsWith("/") ? rest : `/${rest}`, authority: absolute[1] ?? "" };
}

function percentEncoded(target: string): string {
  return target.replace(
    /[\x80-\xff]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The size of the fields as HTTP/1.1 lines, so that both versions have the same limit. */
export function measureFields(fields: Fields): number {
  let size = 0;
  for (const text of fields) size += text.length + 2;
  return size;
}

/** Crumbs of a cookie (RFC 9113 §8.2.3) are one field. */
function hasTooMany(fields: Fields, max: number): boolean {
  if (fields.length / 2 <= max) return false;
  let cookies = 0;
  for (let index = 0; index < fields.length; index += 2) {
    if (fields[index] === "cookie") cookies += 1;
  }
  return fields.length / 2 - Math.max(0, cookies - 1) > max;
}

function tooLarge(reason: string): Rejection {
  return { status: 431, reason };
}

function bad(reason: string): Rejection {
  return { status: 400, reason };
}

function splitPseudo(
  raw: Fields,
): { readonly pseudo: Map<string, string>; readonly fields: string[] } | null {
  const pseudo = new Map<string, string>();
  const fields: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? "";
    const value = raw[index + 1] ?? "";
    if (name.startsWith(":")) pseudo.set(name, value);
    else if (isField(name, value)) fields.push(name, value);
    else return null;
  }
  return { pseudo, fields };
}

function isTarget(method: string, target: string): boolean {
  return pathPattern.test(target) && (target !== "*" || method === "OPTIONS");
}

/** RFC 8441 §5: CONNECT for a WebSocket stands for the GET that opens one over HTTP/1.1. */
function webSocketHead(parts: Parts, protocol: string, isWhole: boolean): RequestHead | Rejection {
  if (parts.method !== "CONNECT" || isWhole) return bad("connect");
  if (protocol !== "websocket") return { status: 501, reason: "connect protocol" };
  const head = assemble({ ...parts, method: "GET" });
  if (!("method" in head)) return head;
  return head.framing === "none" ? { ...head, isWebSocket: true } : bad("framing");
}

/** In HTTP/2 the frames end a body: a length is only forwarded, and is an error without a body. */
function reframe(head: RequestHead, isWhole: boolean): RequestHead | Rejection {
  const { framing } = head;
  if (isWhole) {
    if (typeof framing === "number") return { status: 400, reason: "framing" };
    return { ...head, framing: "none", expectsContinue: false, isWebSocket: false };
  }
  return {
    ...head,
    framing: typeof framing === "number" ? framing : "chunked",
    expectsContinue: fieldValue(head.fields, "expect") !== null,
    isWebSocket: false,
  };
}
