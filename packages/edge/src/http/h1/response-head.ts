import { type Fields, joinedNames, noNames, parseFields } from "../fields.ts";
import type { BodyFraming } from "./body-decoder.ts";

/** The head of an origin's response, over HTTP/1.1 or HTTP/2. */
export interface ResponseStart {
  readonly status: number;
  readonly reason: string;
  readonly fields: Fields;
  /** What `Content-Length` says, also where no body follows (HEAD, 304). */
  readonly length: number | null;
  /** Whether the head is the whole response. */
  readonly isWhole: boolean;
}

export interface OriginHead extends ResponseStart {
  readonly framing: BodyFraming;
  readonly isPersistent: boolean;
  /** From `Keep-Alive: timeout=`; null when absent. */
  readonly keepAliveSeconds: number | null;
}

const reasonPattern = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Reads the response head (RFC 9112 §4) before `end`, where its empty line begins; null when
 * malformed.
 */
export function parseResponseHead(
  bytes: Buffer,
  end: number,
  requestMethod: string,
): OriginHead | null {
  const text = bytes.toString("latin1", 0, end);
  const found = text.indexOf("\r\n");
  const lineEnd = found === -1 ? text.length : found;
  const line = parseStatusLine(text, lineEnd);
  if (line === null) return null;
  const fields = found === -1 ? [] : parseFields({ bytes, text, at: 0 }, lineEnd + 2, end);
  const head = fields && collect(fields);
  if (fields === null || head === null) return null;
  return assemble(line, fields, head, requestMethod);
}

interface StatusLine {
  readonly isHttp10: boolean;
  readonly status: number;
  readonly reason: string;
}

/** `HTTP/1.1 200 OK`, where the reason and the blank before it may be missing. */
function parseStatusLine(text: string, end: number): StatusLine | null {
  const minor = text.charCodeAt(7) - zero;
  if (!text.startsWith("HTTP/1.") || (minor !== 0 && minor !== 1) || text[8] !== " ") return null;
  const [first, second, third] = [digitAt(text, 9), digitAt(text, 10), digitAt(text, 11)];
  if (end < 12 || first < 1 || second < 0 || third < 0) return null;
  if (end > 12 && text[12] !== " ") return null;
  const reason = text.slice(13, end);
  if (!reasonPattern.test(reason)) return null;
  return { isHttp10: minor === 0, status: first * 100 + second * 10 + third, reason };
}

const zero = 0x30;

/** -1 for anything else. */
function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - zero;
  return digit >= 0 && digit <= 9 ? digit : -1;
}

function assemble(
  { isHttp10, status, reason }: StatusLine,
  fields: Fields,
  found: Found,
  requestMethod: string,
): OriginHead | null {
  const hasBody = requestMethod !== "HEAD" && status >= 200 && status !== 204 && status !== 304;
  const framing = hasBody ? findFraming(found) : 0;
  if (framing === null) return null;
  return {
    status,
    reason,
    fields,
    framing,
    length: found.length,
    isWhole: framing === 0,
    isPersistent:
      framing !== "close" &&
      (!isHttp10 || found.connection.includes("keep-alive")) &&
      !found.connection.includes("close") &&
      status !== 101,
    keepAliveSeconds: found.keepAlive,
  };
}

interface Found {
  length: number | null;
  encodings: readonly string[];
  connection: readonly string[];
  keepAlive: number | null;
}

function collect(fields: Fields): Found | null {
  const found: Found = {
    length: null,
    encodings: noNames,
    connection: noNames,
    keepAlive: null,
  };
  for (let index = 0; index < fields.length; index += 2) {
    const value = fields[index + 1] ?? "";
    switch (fields[index]) {
      case "content-length":
        if (!/^[0-9]{1,15}$/.test(value)) return null;
        if (found.length !== null && found.length !== Number(value)) return null;
        found.length = Number(value);
        break;
      case "transfer-encoding":
        found.encodings = joinedNames(found.encodings, value);
        break;
      case "connection":
        found.connection = joinedNames(found.connection, value);
        break;
      case "keep-alive":
        found.keepAlive = parseSeconds(value);
        break;
    }
  }
  return found;
}

function parseSeconds(keepAlive: string): number | null {
  const match = /(?:^|[\s,;])timeout=([0-9]{1,6})/i.exec(keepAlive);
  return match === null ? null : Number(match[1]);
}

/** Both framings at once enable response splitting (RFC 9112 §6.3): rejected. */
function findFraming(found: Found): BodyFraming | null {
  if (found.encodings.length === 0) return found.length ?? "close";
  const isPlain = found.encodings.length === 1 && found.encodings[0] === "chunked";
  return isPlain && found.length === null ? "chunked" : null;
}
