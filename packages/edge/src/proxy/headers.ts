import type { Host } from "../hosts/host.ts";
import { type Fields, fieldLines, listOf } from "../http/fields.ts";
import type { RequestHead } from "../http/request-head.ts";
import type { OriginTarget } from "./origin-pools.ts";

/** RFC 9110 §7.6.1, and what the message to the origin says in its own words. */
const replacedRequestFields = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/** Names by which origins learn who asks and for what; only the edge may say that. */
const identityFields = new Set([
  "cf-connecting-ip",
  "client-ip",
  "fastly-client-ip",
  "forwarded",
  // "httpoxy": CGI turns it into HTTP_PROXY.
  "proxy",
  "true-client-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-host",
  "x-original-forwarded-for",
  "x-original-host",
  "x-original-url",
  "x-real-ip",
  "x-rewrite-url",
]);

/** What a visitor may not tell an origin, in headers or trailers. */
export function isDroppedFromRequest(name: string): boolean {
  return identityFields.has(name) || name.startsWith("x-forwarded") || name.startsWith("x-svc-");
}

/** RFC 8586 and RFC 9110 §7.6.3: this request has been through the same service before. */
export function isLoop(fields: Fields, loopId: string): boolean {
  for (let index = 0; index < fields.length; index += 2) {
    const value = fields[index + 1] ?? "";
    if (fields[index] === "cdn-loop") {
      if (listOf(value).some((one) => one.split(/[;\s]/)[0] === loopId)) return true;
    } else if (fields[index] === "via") {
      if (listOf(value).some((one) => one.split(/\s+/)[1] === loopId)) return true;
    }
  }
  return false;
}

export interface RequestContext {
  readonly host: Host;
  readonly target: OriginTarget;
  readonly remoteAddress: string;
  readonly assertion: string | null;
  readonly loopId: string;
}

/** The head of the request to the origin: re-framed, and naming the visitor in our own words. */
export function originRequestHead(head: RequestHead, context: RequestContext): string {
  const { host, target } = context;
  const kept = keptFields(head);
  const path = head.target === "*" ? "*" : target.prefix + head.target;
  const hostHeader = host.originHostHeader === "origin" ? target.authority : host.hostname;
  const assertion = context.assertion === null ? "" : `x-svc-assertion: ${context.assertion}\r\n`;
  return (
    `${head.method} ${path} HTTP/1.1\r\nhost: ${hostHeader}\r\n${kept.lines}` +
    `x-forwarded-for: ${context.remoteAddress}\r\nx-forwarded-proto: https\r\n` +
    `x-forwarded-host: ${host.hostname}\r\nx-real-ip: ${context.remoteAddress}\r\n${assertion}` +
    `via: ${kept.via}${head.isHttp10 ? "1.0" : "1.1"} ${context.loopId}\r\n` +
    `cdn-loop: ${kept.cdnLoop}${context.loopId}\r\n${hopLines(head)}\r\n`
  );
}

interface Kept {
  lines: string;
  via: string;
  cdnLoop: string;
}

function keptFields({ fields, connection }: RequestHead): Kept {
  const kept: Kept = { lines: "", via: "", cdnLoop: "" };
  const cookies: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? "";
    const value = fields[index + 1] ?? "";
    switch (name) {
      case "via":
        kept.via += `${value}, `;
        break;
      case "cdn-loop":
        kept.cdnLoop += `${value}, `;
        break;
      case "cookie":
        cookies.push(value);
        break;
      default:
        if (isForwarded(name, connection)) kept.lines += `${name}: ${value}\r\n`;
    }
  }
  // RFC 9113 §8.2.3: HTTP/2 may split cookies, HTTP/1.1 has one field.
  if (cookies.length > 0) kept.lines += `cookie: ${cookies.join("; ")}\r\n`;
  return kept;
}

function isForwarded(name: string, connection: readonly string[]): boolean {
  return (
    !replacedRequestFields.has(name) && !isDroppedFromRequest(name) && !connection.includes(name)
  );
}

function hopLines(head: RequestHead): string {
  if (head.isWebSocket) return "connection: Upgrade\r\nupgrade: websocket\r\n";
  const te = head.acceptsTrailers ? "connection: TE\r\nte: trailers\r\n" : "";
  const expect = head.expectsContinue ? "expect: 100-continue\r\n" : "";
  return te + expect + framingLine(head);
}

function framingLine({ framing, method }: RequestHead): string {
  if (framing === "chunked") return "transfer-encoding: chunked\r\n";
  if (framing !== "none") return `content-length: ${framing}\r\n`;
  // RFC 9110 §8.6: said aloud for methods that usually have content.
  const isUsual = method === "POST" || method === "PUT" || method === "PATCH";
  return isUsual ? "content-length: 0\r\n" : "";
}

/** One hop only, or a promise about other ports that the origin cannot keep for the edge. */
const hopByHopResponseFields = new Set([
  "alt-svc",
  "connection",
  "content-length",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);

export function isDroppedFromResponse(name: string): boolean {
  return hopByHopResponseFields.has(name) || name.startsWith("x-svc-");
}

export function visitorFields(fields: Fields): string[] {
  const listed = new Set<string>();
  for (let index = 0; index < fields.length; index += 2) {
    if (fields[index] === "connection") {
      for (const name of listOf(fields[index + 1] ?? "")) listed.add(name);
    }
  }
  const kept: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? "";
    if (isDroppedFromResponse(name) || listed.has(name)) continue;
    kept.push(name, fields[index + 1] ?? "");
  }
  return kept;
}

/** The 101 that opens a WebSocket, with what the origin said about it (RFC 6455 §4.2.2). */
export function switchingHead(fields: Fields): string {
  const kept = fieldLines(visitorFields(fields));
  return `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n${kept}\r\n`;
}
