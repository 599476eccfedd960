import type { BodyFraming } from "./body-decoder.ts";
import { type Fields, listOf, parseFields } from "./fields.ts";

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

const statusLine = /^HTTP\/1\.([01]) ([1-9][0-9]{2})(?: ([\t\x20-\x7e\x80-\xff]*))?$/;

/** Reads a response head (RFC 9112 §4) without the empty line that ends it; null when malformed. */
export function parseResponseHead(text: string, requestMethod: string): OriginHead | null {
  const lines = text.split("\r\n");
  const line = statusLine.exec(lines[0] ?? "");
  const fields = line === null ? null : parseFields(lines, 1);
  if (line === null || fields === null) return null;
  const status = Number(line[2]);
  const found = collect(fields);
  if (found === null) return null;
  const hasBody = requestMethod !== "HEAD" && status >= 200 && status !== 204 && status !== 304;
  const framing = hasBody ? framingOf(found) : 0;
  if (framing === null) return null;
  const isHttp10 = line[1] === "0";
  return {
    status,
    reason: line[3] ?? "",
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
  encodings: string[];
  connection: string[];
  keepAlive: number | null;
}

function collect(fields: Fields): Found | null {
  const found: Found = { length: null, encodings: [], connection: [], keepAlive: null };
  for (let index = 0; index < fields.length; index += 2) {
    const value = fields[index + 1] ?? "";
    switch (fields[index]) {
      case "content-length":
        if (!/^[0-9]{1,15}$/.test(value)) return null;
        if (found.length !== null && found.length !== Number(value)) return null;
        found.length = Number(value);
        break;
      case "transfer-encoding":
        found.encodings.push(...listOf(value));
        break;
      case "connection":
        found.connection.push(...listOf(value));
        break;
      case "keep-alive":
        found.keepAlive = secondsOf(value);
        break;
    }
  }
  return found;
}

function secondsOf(keepAlive: string): number | null {
  const match = /(?:^|[\s,;])timeout=([0-9]{1,6})/i.exec(keepAlive);
  return match === null ? null : Number(match[1]);
}

/** Both framings at once enable response splitting (RFC 9112 §6.3): rejected. */
function framingOf(found: Found): BodyFraming | null {
  if (found.encodings.length === 0) return found.length ?? "close";
  const isPlain = found.encodings.length === 1 && found.encodings[0] === "chunked";
  return isPlain && found.length === null ? "chunked" : null;
}
