import { httpChallengePath } from "../acme/authorization.ts";
import type { CertificateSource } from "../certificates/serve/source.ts";
import type { Log } from "../config/settings.ts";
import type { Application } from "../hosts/application.ts";
import type { Host, HostTable, ServedHosts } from "../hosts/host.ts";
import type { Exchange } from "../http/exchange.ts";
import type { EdgeStats } from "../metrics/metrics.ts";
import type { RequestRules } from "../rules/request-rules.ts";
import { normalizeServerName } from "../tls/client-hello.ts";
import { type ForwardContext, forward } from "./forward/forward.ts";
import { sendErrorPage } from "./response/error-page.ts";
import {
  type OwnershipTokens,
  ownershipTokenId,
  type ProbeAnswers,
  probeNonce,
  sendProbeAnswer,
} from "./response/probe.ts";
import { recordRefusal } from "./response/refusal.ts";
import { serveUnderRules, withoutCredentials } from "./serve-under-rules.ts";
import { type CompressionSlots, exchangeOfSite } from "./site-exchange.ts";

const maxLoggedHost = 255;
/** Nobody knows when a suspension ends. */
const maintenanceRetrySeconds = "3600";

export interface ServeContext extends ForwardContext {
  readonly compression: CompressionSlots;
  readonly hosts: ServedHosts;
  readonly certificates: CertificateSource;
  readonly probeAnswers: ProbeAnswers;
  readonly ownershipTokens: OwnershipTokens;
  readonly rules: RequestRules;
}

/** Whether the host of the handshake is still claimed, under the same epoch. */
export function isClaimed(hosts: HostTable, host: Host): boolean {
  return hosts.find(host.hostname)?.epoch === host.epoch;
}

/**
 * Serves one request on a TLS connection. The host is authorised again: the claim may have changed.
 */
export function serveRequest(
  exchange: Exchange,
  secured: Host,
  isShedding: boolean,
  context: ServeContext,
): void {
  context.stats.requests += 1;
  const asked = parseHostname(exchange.head.authority, secured.hostname);
  if (asked === null) {
    exchange.closeAfter();
    refuse(exchange, { status: 400, reason: "host" }, context);
    return;
  }
  const host = context.hosts.find(secured.hostname);
  // RFC 9110 §15.5.20: a later claim of the name needs a new handshake.
  if (host === null) {
    answerNotConnected(exchange, "the name has no claim any more", context);
    return;
  }
  if (host.epoch !== secured.epoch) {
    exchange.closeAfter();
    refuse(exchange, { status: 421, reason: "the name has a new claim" }, context);
    return;
  }
  if (asked !== secured.hostname) {
    refuse(exchange, { status: 421, reason: "another host than in the handshake" }, context);
    return;
  }
  const application = context.hosts.applicationOf(host);
  const own = exchangeUnder(application, exchange, host, context);
  if (isShedding) {
    context.stats.shed += 1;
    exchange.closeAfter();
    refuse(own, { status: 503, reason: "overload" }, context, ["retry-after", "1"]);
    return;
  }
  const nonce = probeNonce(exchange);
  if (nonce !== null) {
    sendProbeAnswer(exchange, context.probeAnswers(nonce, asked, "https"));
    return;
  }
  const connectionId = ownershipTokenId(exchange);
  if (connectionId !== null && connectionId === host.connectionId) {
    sendProbeAnswer(exchange, context.ownershipTokens(asked, connectionId));
    return;
  }
  const token = challengeToken(exchange.head.target);
  if (token !== null) {
    answerChallenge(exchange, host.hostname, token, context);
    return;
  }
  if (application?.isSuspended) {
    answerMaintenance(exchange, context);
    return;
  }
  const rules = application?.edge.rules ?? null;
  if (rules === null) {
    serveHost(exchange, own, { host, application }, context);
    return;
  }
  serveUnderRules(own, { host, rules }, context, () => {
    const passed = rules.basicAuth === null ? exchange : withoutCredentials(exchange);
    const under = exchangeUnder(application, passed, host, context);
    serveHost(passed, under, { host, application }, context);
  });
}

/** `own` is the exchange under the settings of the application. */
function serveHost(
  exchange: Exchange,
  own: Exchange,
  { host, application }: { readonly host: Host; readonly application: Application | null },
  context: ServeContext,
): void {
  const target = host.own?.redirectTo ?? null;
  if (target !== null) redirectToTarget(exchange, target, application);
  else if (application !== null) forward(own, { host, application }, context);
  else
    refuse(
      exchange,
      { status: 503, reason: "the settings of the application could not be read" },
      context,
    );
}

/** The exchange under the settings of the host's application. */
export function exchangeFor(exchange: Exchange, host: Host, context: ServeContext): Exchange {
  return exchangeUnder(context.hosts.applicationOf(host), exchange, host, context);
}

function exchangeUnder(
  application: Application | null,
  exchange: Exchange,
  host: Host,
  { compression }: ServeContext,
): Exchange {
  // A suspended tenant's own pages and fields are not shown either.
  if (application === null || application.isSuspended) return exchange;
  return exchangeOfSite(exchange, { host, application }, compression);
}

/** Answers a request that no origin gets with an error page. */
export function refuse(
  exchange: Exchange,
  refusal: { readonly status: number; readonly reason: string },
  context: { readonly stats: EdgeStats; readonly log: Log },
  fields: readonly string[] = [],
): void {
  sendErrorPage(exchange, refusal.status, {
    reference: record(exchange, refusal, context),
    fields,
  });
}

/** A request on a connection that was opened under another claim than the name has now. */
export function refuseClaim(
  exchange: Exchange,
  context: { readonly stats: EdgeStats; readonly log: Log },
): void {
  context.stats.requests += 1;
  answerNotConnected(exchange, "the claim of the connection has ended", context);
}

/** Every name of a suspended tenant. The connection stays open: the next request may be served. */
function answerMaintenance(
  exchange: Exchange,
  context: { readonly stats: EdgeStats; readonly log: Log },
): void {
  const refusal = { status: 503, reason: "the tenant is suspended" };
  sendErrorPage(exchange, refusal.status, {
    reference: record(exchange, refusal, context),
    fields: ["retry-after", maintenanceRetrySeconds],
    page: "maintenance",
  });
}

/** Every name that nobody has connected, also one that was archived a moment ago. */
function answerNotConnected(
  exchange: Exchange,
  reason: string,
  context: { readonly stats: EdgeStats; readonly log: Log },
): void {
  exchange.closeAfter();
  sendErrorPage(exchange, 421, {
    reference: record(exchange, { status: 421, reason }, context),
    page: "not_connected",
  });
}

function record(
  { head, remoteAddress }: Exchange,
  refusal: { readonly status: number; readonly reason: string },
  context: { readonly stats: EdgeStats; readonly log: Log },
): string {
  const host = head.authority.slice(0, maxLoggedHost);
  return recordRefusal({ ...refusal, host, remoteAddress }, context);
}

/**
 * Serves one request on the port without TLS: an HTTP-01 challenge, a probe of a known host, the
 * token of a connection that has the host or does not have it yet, or a redirect to https.
 */
export function servePlainRequest(
  exchange: Exchange,
  context: Pick<
    ServeContext,
    "hosts" | "certificates" | "probeAnswers" | "ownershipTokens" | "stats" | "log"
  >,
  httpsPort: number,
): void {
  context.stats.requests += 1;
  const { head } = exchange;
  const authority = parseAuthority(head.authority);
  if (authority === null) {
    exchange.closeAfter();
    refuse(exchange, { status: 400, reason: "host" }, context);
    return;
  }
  const token = challengeToken(head.target);
  const nonce = probeNonce(exchange);
  const host = context.hosts.find(authority.hostname);
  const isKnown = host !== null;
  const connectionId = ownershipTokenId(exchange);
  if (nonce !== null && isKnown) {
    sendProbeAnswer(exchange, context.probeAnswers(nonce, authority.hostname, "http"));
  } else if (token !== null) answerChallenge(exchange, authority.hostname, token, context);
  else if (connectionId !== null && (host?.connectionId ?? connectionId) === connectionId) {
    sendProbeAnswer(exchange, context.ownershipTokens(authority.hostname, connectionId));
  } else if (!isKnown) answerNotConnected(exchange, "unknown host", context);
  else redirect(exchange, authority, httpsPort);
}

function redirect(exchange: Exchange, authority: Authority, httpsPort: number): void {
  // A request that names a port reached this listener directly. Others came through port 80, whose
  // counterpart is 443 whatever port this process listens on.
  const isDirect = authority.port !== null && authority.port !== 80 && httpsPort !== 443;
  const host = isDirect ? `${authority.hostname}:${httpsPort}` : authority.hostname;
  sendRedirect(exchange, host);
}

/**
 * A host that redirects: the rules of its application are for its origin's answers, HSTS is for
 * all.
 */
function redirectToTarget(
  exchange: Exchange,
  target: string,
  application: Application | null,
): void {
  const hsts = application?.edge.hsts ?? null;
  sendRedirect(exchange, target, hsts === null ? [] : ["strict-transport-security", hsts]);
}

/** Not for ever: either redirect may end, and a browser must not keep it then. */
function sendRedirect(exchange: Exchange, host: string, fields: readonly string[] = []): void {
  const path = exchange.head.target === "*" ? "/" : exchange.head.target;
  exchange.respond({
    status: 308,
    reason: "Permanent Redirect",
    fields: ["location", `https://${host}${path}`, "cache-control", "max-age=300", ...fields],
    length: 0,
    hasBody: exchange.head.method !== "HEAD",
  });
  exchange.end([]);
}

/**
 * The name that a request asks for; null for a malformed one. Nearly always that of the handshake.
 */
function parseHostname(authority: string, secured: string): string | null {
  if (authority.startsWith(secured) && isPort(authority, secured.length)) return secured;
  return parseAuthority(authority)?.hostname ?? null;
}

/** Whether the text from `at` on is a port with its colon, or nothing. */
function isPort(text: string, at: number): boolean {
  if (at === text.length) return true;
  if (text[at] !== ":" || text.length === at + 1 || text.length > at + 6) return false;
  for (let index = at + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}

interface Authority {
  readonly hostname: string;
  readonly port: number | null;
}

/** RFC 9110 §7.2 without user info or address literals; null for anything else. */
function parseAuthority(text: string): Authority | null {
  const match = /^([A-Za-z0-9.-]{1,254})(?::([0-9]{1,5}))?$/.exec(text);
  const hostname = match === null ? null : normalizeServerName(match[1] ?? "");
  if (match === null || hostname === null) return null;
  return { hostname, port: match[2] === undefined ? null : Number(match[2]) };
}

/**
 * The part after the path of HTTP-01 challenges (RFC 8555 §8.3); null for other targets. No request
 * below that path reaches an origin, which could otherwise obtain a certificate for the name.
 */
function challengeToken(target: string): string | null {
  if (!target.startsWith(httpChallengePath)) return null;
  return target.slice(httpChallengePath.length).split("?")[0] ?? "";
}

function answerChallenge(
  exchange: Exchange,
  hostname: string,
  token: string,
  context: {
    readonly certificates: CertificateSource;
    readonly stats: EdgeStats;
    readonly log: Log;
  },
): void {
  challengeResponse(hostname, token, context.certificates).then(
    (response) => {
      if (response === null) {
        refuse(exchange, { status: 404, reason: "no such challenge" }, context);
      } else sendText(exchange, response);
    },
    (error: unknown) => {
      context.log.error({ host: hostname, err: error }, "challenge lookup failed");
      const refusal = { status: 503, reason: "challenge lookup failed" };
      refuse(exchange, refusal, context, ["retry-after", "1"]);
    },
  );
}

async function challengeResponse(
  hostname: string,
  token: string,
  certificates: CertificateSource,
): Promise<string | null> {
  const isWellFormed = /^[A-Za-z0-9_-]{1,128}$/.test(token);
  return isWellFormed ? await certificates.challengeResponse(hostname, token) : null;
}

function sendText(exchange: Exchange, text: string): void {
  const body = Buffer.from(text);
  const hasBody = exchange.head.method !== "HEAD";
  exchange.respond({
    status: 200,
    reason: "OK",
    fields: ["content-type", "application/octet-stream", "cache-control", "no-store"],
    length: body.length,
    hasBody,
  });
  if (hasBody) exchange.write(body);
  exchange.end([]);
}
