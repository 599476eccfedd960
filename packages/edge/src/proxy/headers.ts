import type { Host } from "../hosts/host.ts";
import { usualNames } from "../http/field-names.ts";
import { type Fields, joinedNames, noNames, splitList } from "../http/fields.ts";
import type { RequestHead } from "../http/request-head.ts";
import type { ForwardedClient } from "./forwarded-client.ts";
import type { OriginTarget } from "./origin/target.ts";

/** Hop-by-hop fields (RFC 9110 §7.6.1) and fields that the edge writes itself. */
export const replacedRequestFields: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "sec-websocket-key",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/** Fields that identify the client and the host to an origin; only the edge may set them. */
export const identityFields: ReadonlySet<string> = new Set([
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
export const identityPrefixes = ["x-forwarded", "x-svc-"] as const;

/**
 * Fields that proxies in front of an application are known to set after they have authenticated.
 */
const authenticationFields = new Set([
  "authorization",
  "cdn-loop",
  "cookie",
  "remote-email",
  "remote-groups",
  "remote-name",
  "remote-user",
  "via",
  "x-auth-request-user",
  "x-authenticated-user",
  "x-remote-user",
]);

const plainName = /^[a-z0-9-]+$/;

/** Fields that a client may not send to an origin, in headers or trailers. */
export function isDroppedFromRequest(name: string): boolean {
  return isIdentity(name) || (!plainName.test(name) && isAlias(name));
}

function isIdentity(name: string): boolean {
  const [forwarded, own] = identityPrefixes;
  return identityFields.has(name) || name.startsWith(forwarded) || name.startsWith(own);
}

/**
 * Some servers turn every other character of a name into `-` or `_`: a name that becomes one which
 * the edge sets or an origin trusts would forge it. `__proto__` has crashed servers.
 */
function isAlias(name: string): boolean {
  const plain = name.replace(/[^a-z0-9]/g, "-");
  return (
    isIdentity(plain) ||
    replacedRequestFields.has(plain) ||
    authenticationFields.has(plain) ||
    name === "__proto__"
  );
}

/**
 * RFC 8586 and RFC 9110 §7.6.3: this request has been through the same installation before. A
 * visitor who forges the token is refused, and nobody else: the refusal is never cached.
 */
export function isLoop(fields: Fields, loopId: string): boolean {
  for (let index = 0; index < fields.length; index += 2) {
    const value = fields[index + 1] ?? "";
    if (fields[index] === "cdn-loop") {
      if (splitList(value).some((one) => one.split(/[;\s]/)[0] === loopId)) return true;
    } else if (fields[index] === "via") {
      if (splitList(value).some((one) => one.split(/\s+/)[1] === loopId)) return true;
    }
  }
  return false;
}

export interface RequestContext {
  readonly host: Pick<Host, "hostname">;
  readonly originHostHeader: "preserve" | "origin";
  readonly target: OriginTarget;
  /** Path and query at the origin. */
  readonly path: string;
  readonly client: ForwardedClient;
  readonly assertion: string | null;
  /** Sent beside the assertion. */
  readonly connectionId: string | null;
  readonly loopId: string;
  /** Of a WebSocket's handshake over HTTP/1.1. */
  readonly webSocketKey: string | null;
}

/** The head of the request to the origin, with new framing and the client named by the edge. */
export function originRequestHead(head: RequestHead, context: RequestContext): string {
  const { path, client } = context;
  const forwarded = forwardedFields(head);
  const authority = chooseAuthority(head, context);
  let identity = "";
  if (context.assertion !== null) identity += `x-svc-assertion: ${context.assertion}\r\n`;
  if (context.connectionId !== null) identity += `x-svc-connection: ${context.connectionId}\r\n`;
  return (
    `${head.method} ${path} HTTP/1.1\r\nhost: ${chooseHostHeader(head, context)}\r\n${forwarded.lines}` +
    `x-forwarded-for: ${client.forwardedFor}\r\nx-forwarded-proto: https\r\n` +
    `x-forwarded-host: ${authority}\r\nx-real-ip: ${client.address}\r\n${identity}` +
    (client.forwarded === null ? "" : `forwarded: ${client.forwarded}\r\n`) +
    `via: ${forwarded.via}${head.version} ${context.loopId}\r\n` +
    `cdn-loop: ${forwarded.cdnLoop}${context.loopId}\r\n${hopLines(head, context)}\r\n`
  );
}

/** What `originRequestHead` writes beside the client's own fields, for HTTP/2. */
export function addedFields(
  head: RequestHead,
  context: RequestContext,
  forwarded: { readonly via: string; readonly cdnLoop: string },
): string[] {
  const { client, assertion, connectionId, loopId } = context;
  return [
    "x-forwarded-for",
    client.forwardedFor,
    "x-forwarded-proto",
    "https",
    "x-forwarded-host",
    chooseAuthority(head, context),
    "x-real-ip",
    client.address,
    ...(assertion === null ? [] : ["x-svc-assertion", assertion]),
    ...(connectionId === null ? [] : ["x-svc-connection", connectionId]),
    ...(client.forwarded === null ? [] : ["forwarded", client.forwarded]),
    "via",
    `${forwarded.via}${head.version} ${loopId}`,
    "cdn-loop",
    `${forwarded.cdnLoop}${loopId}`,
  ];
}

export function chooseHostHeader(head: RequestHead, context: RequestContext): string {
  const { originHostHeader, target } = context;
  return originHostHeader === "origin" ? target.authority : chooseAuthority(head, context);
}

function chooseAuthority(head: RequestHead, { host }: RequestContext): string {
  return host.hostname + parsePort(head.authority);
}

/** With its colon; empty for the default. The authority has been checked before. */
function parsePort(authority: string): string {
  const colon = authority.lastIndexOf(":");
  const port = colon === -1 ? "" : authority.slice(colon);
  return port === ":443" ? "" : port;
}

interface ForwardedFields {
  lines: string;
  via: string;
  cdnLoop: string;
}

function forwardedFields(head: RequestHead): ForwardedFields {
  const { fields, connection } = head;
  const forwarded: ForwardedFields = { lines: "", via: "", cdnLoop: "" };
  const cookies: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? "";
    const value = fields[index + 1] ?? "";
    switch (name) {
      case "via":
        forwarded.via += `${value}, `;
        break;
      case "cdn-loop":
        forwarded.cdnLoop += `${value}, `;
        break;
      case "cookie":
        cookies.push(value);
        break;
      default:
        if (isForwarded(name, connection)) forwarded.lines += `${name}: ${value}\r\n`;
    }
  }
  // RFC 9113 §8.2.3: HTTP/2 may split cookies, HTTP/1.1 has one field.
  if (cookies.length > 0) forwarded.lines += `cookie: ${cookies.join("; ")}\r\n`;
  return forwarded;
}

/** The client's own fields as `originRequestHead` forwards them, for HTTP/2. */
export function forwardedValues({ fields, connection }: RequestHead): {
  readonly fields: Fields;
  readonly via: string;
  readonly cdnLoop: string;
} {
  const forwarded: string[] = [];
  let via = "";
  let cdnLoop = "";
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? "";
    const value = fields[index + 1] ?? "";
    if (name === "via") via += `${value}, `;
    else if (name === "cdn-loop") cdnLoop += `${value}, `;
    else if (isForwarded(name, connection)) forwarded.push(name, value);
  }
  return { fields: forwarded, via, cdnLoop };
}

function isForwarded(name: string, connection: readonly string[]): boolean {
  const mayPass = usualVerdicts.get(name) ?? mayBeForwarded(name);
  return mayPass && !connection.includes(name);
}

function mayBeForwarded(name: string): boolean {
  return !replacedRequestFields.has(name) && !isDroppedFromRequest(name);
}

/** Found once: a request has a dozen of these names. */
const usualVerdicts: ReadonlyMap<string, boolean> = new Map(
  usualNames.map((name) => [name, mayBeForwarded(name)]),
);

function hopLines(head: RequestHead, { webSocketKey }: RequestContext): string {
  if (head.isWebSocket) {
    const key = webSocketKey === null ? "" : `sec-websocket-key: ${webSocketKey}\r\n`;
    return `${key}connection: Upgrade\r\nupgrade: websocket\r\n`;
  }
  const te = head.acceptsTrailers ? "connection: TE\r\nte: trailers\r\n" : "";
  const expect = head.expectsContinue ? "expect: 100-continue\r\n" : "";
  return te + expect + framingLine(head);
}

function framingLine({ framing, method }: RequestHead): string {
  if (framing === "chunked") return "transfer-encoding: chunked\r\n";
  if (framing !== "none") return `content-length: ${framing}\r\n`;
  // RFC 9110 §8.6: sent for methods that usually have content.
  const isUsual = method === "POST" || method === "PUT" || method === "PATCH";
  return isUsual ? "content-length: 0\r\n" : "";
}

/** Hop-by-hop fields, and `Alt-Svc`, which names ports of the origin and not of the edge. */
export const droppedResponseFields: ReadonlySet<string> = new Set([
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
  return droppedResponseFields.has(name) || name.startsWith("x-svc-");
}

/** The fields of an origin's response that the client gets. */
export function responseFields(fields: Fields): string[] {
  let listed = noNames;
  for (let index = 0; index < fields.length; index += 2) {
    if (fields[index] === "connection") listed = joinedNames(listed, fields[index + 1] ?? "");
  }
  const forwarded: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? "";
    if (isDroppedFromResponse(name) || listed.includes(name)) continue;
    forwarded.push(name, fields[index + 1] ?? "");
  }
  return forwarded;
}
