import { STATUS_CODES } from "node:http";
import { type Fields, fieldValue, isField } from "../../http/fields.ts";
import type { ResponseStart } from "../../http/h1/response-head.ts";
import { measureFields, type RequestHead } from "../../http/request-head.ts";
import { addedFields, chooseHostHeader, forwardedValues, type RequestContext } from "../headers.ts";

/** The head of the request as fields of an HTTP/2 stream (RFC 9113 §8.3), pseudo fields first. */
export function originRequestFields(head: RequestHead, context: RequestContext): string[] {
  const forwarded = forwardedValues(head);
  return [
    ...pseudoFields(head, context),
    ...forwarded.fields,
    ...addedFields(head, context, forwarded),
    ...framingFields(head),
  ];
}

function pseudoFields(head: RequestHead, context: RequestContext): string[] {
  const { target, path } = context;
  const where = [":scheme", target.isTls ? "https" : "http", ":path", path];
  const authority = [":authority", chooseHostHeader(head, context)];
  // RFC 8441 §4: a WebSocket begins with CONNECT that names its protocol.
  if (head.isWebSocket) {
    return [":method", "CONNECT", ":protocol", "websocket", ...where, ...authority];
  }
  return [":method", head.method, ...where, ...authority];
}

function framingFields(head: RequestHead): string[] {
  const fields: string[] = [];
  if (head.acceptsTrailers) fields.push("te", "trailers");
  if (head.expectsContinue) fields.push("expect", "100-continue");
  if (typeof head.framing === "number") fields.push("content-length", String(head.framing));
  return fields;
}

interface HeadLimits {
  readonly originHeadBytes: number;
}

/** Reads the fields of a response (RFC 9113 §8.3.2); null when they are malformed or too large. */
export function responseStart(
  raw: Fields,
  isWhole: boolean,
  limits: HeadLimits,
): ResponseStart | null {
  const status = Number(fieldValue(raw, ":status"));
  if (!Number.isInteger(status) || status < 100 || status === 101) return null;
  const fields = plainFields(raw, limits);
  if (fields === null) return null;
  const length = parseLength(fields);
  if (length === "malformed") return null;
  return { status, reason: STATUS_CODES[status] ?? "", fields, length, isWhole };
}

/** The fields without pseudo fields; null when one is malformed, or all are too large. */
export function plainFields(raw: Fields, { originHeadBytes }: HeadLimits): string[] | null {
  if (measureFields(raw) > originHeadBytes) return null;
  const fields: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? "";
    const value = raw[index + 1] ?? "";
    if (name.startsWith(":")) continue;
    if (!isField(name, value)) return null;
    fields.push(name, value);
  }
  return fields;
}

function parseLength(fields: Fields): number | null | "malformed" {
  let length: number | null = null;
  for (let index = 0; index < fields.length; index += 2) {
    if (fields[index] !== "content-length") continue;
    const value = fields[index + 1] ?? "";
    if (!/^[0-9]{1,15}$/.test(value) || length !== null) return "malformed";
    length = Number(value);
  }
  return length;
}
