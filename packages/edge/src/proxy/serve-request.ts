import type { CertificateSource } from "../certificates/source.ts";
import type { Log } from "../config/settings.ts";
import type { Host, HostTable } from "../hosts/host.ts";
import type { Visitor } from "../http/exchange.ts";
import type { EdgeStats } from "../metrics/metrics.ts";
import { normalizeServerName } from "../tls/client-hello.ts";
import { newReference, sendPage } from "./error-page.ts";
import { type ForwardContext, forward } from "./forward.ts";

export interface ServeContext extends ForwardContext {
  readonly hosts: HostTable;
  readonly certificates: CertificateSource;
}

/** Whether the name that the handshake was made for is still held under the same claim. */
export function isHeld(hosts: HostTable, host: Host): boolean {
  return hosts.get(host.hostname)?.epoch === host.epoch;
}

/** One request on a secure connection: authorised again, whatever the handshake has found. */
export function serveRequest(
  visitor: Visitor,
  secured: Host,
  isShedding: boolean,
  context: ServeContext,
): void {
  context.stats.requests += 1;
  const authority = parseAuthority(visitor.head.authority);
  if (authority === null) {
    visitor.closeAfter();
    refuse(visitor, 400, context);
    return;
  }
  const host = context.hosts.get(secured.hostname);
  // RFC 9110 §15.5.20: a later claim of the name needs a handshake of its own.
  if (host === null || host.epoch !== secured.epoch) {
    visitor.closeAfter();
    refuse(visitor, 421, context);
    return;
  }
  if (authority.hostname !== secured.hostname) {
    refuse(visitor, 421, context);
    return;
  }
  if (isShedding) {
    context.stats.shed += 1;
    visitor.closeAfter();
    refuse(visitor, 503, context, ["retry-after", "1"]);
    return;
  }
  const token = challengeToken(visitor.head.target);
  if (token === null) forward(visitor, host, context);
  else answerChallenge(visitor, host.hostname, token, context);
}

function refuse(
  visitor: Visitor,
  status: number,
  context: ServeContext,
  fields: readonly string[] = [],
): void {
  const { answered } = context.stats;
  answered.set(status, (answered.get(status) ?? 0) + 1);
  sendPage(visitor, status, { reference: newReference(), fields });
}

export interface PlainContext {
  readonly hosts: HostTable;
  readonly certificates: CertificateSource;
  readonly stats: EdgeStats;
  readonly log: Log;
  readonly httpsPort: () => number;
}

/** One request on the port without TLS: a challenge's answer, or the way to https. */
export function servePlainRequest(visitor: Visitor, context: PlainContext): void {
  context.stats.requests += 1;
  const { head } = visitor;
  const authority = parseAuthority(head.authority);
  if (authority === null) {
    visitor.closeAfter();
    sendPage(visitor, 400, { reference: newReference() });
    return;
  }
  const token = challengeToken(head.target);
  if (token !== null) answerChallenge(visitor, authority.hostname, token, context);
  else if (context.hosts.get(authority.hostname) === null) {
    visitor.closeAfter();
    sendPage(visitor, 421, { reference: newReference() });
  } else redirect(visitor, authority, context.httpsPort());
}

function redirect(visitor: Visitor, authority: Authority, httpsPort: number): void {
  // A visitor who names a port reaches the listener directly; others come through port 80, whose
  // sibling is 443 whatever port this process listens on.
  const isDirect = authority.port !== null && authority.port !== 80 && httpsPort !== 443;
  const host = isDirect ? `${authority.hostname}:${httpsPort}` : authority.hostname;
  const path = visitor.head.target === "*" ? "/" : visitor.head.target;
  visitor.respond({
    status: 308,
    reason: "Permanent Redirect",
    fields: ["location", `https://${host}${path}`, "cache-control", "max-age=300"],
    length: 0,
    hasBody: visitor.head.method !== "HEAD",
  });
  visitor.end([]);
}

const challengePrefix = "/.well-known/acme-challenge/";

/**
 * What follows the path of HTTP-01 challenges (RFC 8555 §8.3), null for other targets. No request
 * below that path reaches an origin, which could otherwise get a certificate of its own.
 */
export function challengeToken(target: string): string | null {
  return target.startsWith(challengePrefix)
    ? (target.slice(challengePrefix.length).split("?")[0] ?? "")
    : null;
}

export function answerChallenge(
  visitor: Visitor,
  hostname: string,
  token: string,
  context: { readonly certificates: CertificateSource; readonly log: Log },
): void {
  lookUp(hostname, token, context.certificates).then(
    (answer) => {
      if (answer === null) sendPage(visitor, 404, { reference: newReference() });
      else sendText(visitor, answer);
    },
    (error: unknown) => {
      const reference = newReference();
      context.log.error({ host: hostname, reference, err: error }, "challenge look-up failed");
      sendPage(visitor, 503, { reference, fields: ["retry-after", "1"] });
    },
  );
}

async function lookUp(
  hostname: string,
  token: string,
  certificates: CertificateSource,
): Promise<string | null> {
  const isWellFormed = /^[A-Za-z0-9_-]{1,128}$/.test(token);
  return isWellFormed ? await certificates.challengeResponse(hostname, token) : null;
}

function sendText(visitor: Visitor, text: string): void {
  const body = Buffer.from(text);
  const hasBody = visitor.head.method !== "HEAD";
  visitor.respond({
    status: 200,
    reason: "OK",
    fields: ["content-type", "application/octet-stream", "cache-control", "no-store"],
    length: body.length,
    hasBody,
  });
  if (hasBody) visitor.write(body);
  visitor.end([]);
}

export interface Authority {
  readonly hostname: string;
  readonly port: number | null;
}

/** RFC 9110 §7.2 without user info or address literals; null for anything else. */
export function parseAuthority(text: string): Authority | null {
  const match = /^([A-Za-z0-9.-]{1,254})(?::([0-9]{1,5}))?$/.exec(text);
  const hostname = match === null ? null : normalizeServerName(match[1] ?? "");
  if (match === null || hostname === null) return null;
  return { hostname, port: match[2] === undefined ? null : Number(match[2]) };
}
