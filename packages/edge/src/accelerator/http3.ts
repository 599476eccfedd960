import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import type { EdgeLimits } from "../config/limits.ts";
import type { EdgeSettings, Log } from "../config/settings.ts";
import { addressLimits, visitorNetwork } from "./configuration/address-limits.ts";
import type { Haproxy } from "./haproxy-program.ts";
import type { AcceleratorPaths } from "./paths.ts";

/** HTTP/3 as it is served. */
export interface Http3 {
  readonly host: string;
  /** UDP, beside the same port for TCP. */
  readonly port: number;
  /** Announced to visitors. */
  readonly publicPort: number;
  readonly isLimited: boolean;
}

type Http3Settings = Pick<
  EdgeSettings,
  "EDGE_ACCELERATOR_HTTP3" | "EDGE_HOST" | "EDGE_HTTPS_PORT" | "EDGE_PROXY_PROTOCOL"
>;

/** Null where it is off, or cannot be served; the accelerator starts without it then. */
export async function prepareHttp3(
  settings: Http3Settings,
  { version, quic }: Haproxy,
  log: Log,
): Promise<Http3 | null> {
  const { EDGE_ACCELERATOR_HTTP3: publicPort, EDGE_HOST: host, EDGE_HTTPS_PORT: port } = settings;
  if (publicPort === 0) return null;
  if (settings.EDGE_PROXY_PROTOCOL) {
    log.warn({ version }, "no HTTP/3: QUIC has no PROXY protocol");
    return null;
  }
  if (quic === "none") {
    log.warn({ version }, "no HTTP/3: this HAProxy cannot serve it");
    return null;
  }
  try {
    await tryPort(host, port);
  } catch (error) {
    log.warn({ err: error, port }, "no HTTP/3: the UDP port cannot be opened");
    return null;
  }
  return { host, port, publicPort, isLimited: quic === "limited" };
}

/** HAProxy would not start without the port, and TCP would not be served either. */
async function tryPort(host: string, port: number): Promise<void> {
  // One that is being replaced may have it, too.
  const socket = createSocket({ type: isIPv6(host) ? "udp6" : "udp4", reusePort: true });
  try {
    const listening = once(socket, "listening");
    socket.bind(port, host);
    await listening;
  } finally {
    socket.close();
  }
}

/** For tokens of addresses and of resets; the same for every HAProxy that an edge starts. */
export function createHttp3Secret(): string {
  return randomBytes(24).toString("hex");
}

const secretVariable = "MOORING_HTTP3_SECRET";

/** What HAProxy gets beside its configuration. */
export function http3Environment(
  http3: Http3 | null,
  { library }: AcceleratorPaths,
  secret: string,
): Readonly<Record<string, string>> {
  return http3 === null ? {} : { OPENSSL_CONF: library, [secretVariable]: secret };
}

export function http3Global(http3: Http3 | null, limits: EdgeLimits): readonly string[] {
  if (http3 === null) return [];
  return [
    ...(http3.isLimited ? ["limited-quic"] : []),
    // For address validation under load (RFC 9000 §8.1.2), and stateless resets.
    `cluster-secret "\${${secretVariable}}"`,
    `tune.quic.frontend.max-idle-timeout ${limits.keepAliveMs}ms`,
    `tune.quic.frontend.max-streams-bidi ${limits.concurrentStreams}`,
  ];
}

/**
 * Settings for OpenSSL, which HAProxy finds by `OPENSSL_CONF`. `no-tls-tickets` does not reach the
 * connections of QUIC: their sessions would be resumed, also under other names.
 */
export const http3Library = [
  "openssl_conf = start",
  "[start]",
  "ssl_conf = uses",
  "[uses]",
  "system_default = all",
  "[all]",
  "NumTickets = 0",
  "",
].join("\n");

const isQuic = "{ so_name quic }";

/**
 * The door does not see these connections: a name that is not promoted has no certificate here, so
 * that its visitor falls back to TCP, and what the door asks is asked again.
 */
export function http3Binds(
  http3: Http3 | null,
  { certificates, exempt }: AcceleratorPaths,
  limits: EdgeLimits,
): readonly string[] {
  if (http3 === null) return [];
  const options = `name quic ssl crt-list ${certificates} strict-sni no-tls-tickets alpn h3`;
  return [
    ...addresses(http3).map((address) => `bind ${address} ${options}`),
    `tcp-request connection reject if ${isQuic} { src -f ${exempt} }`,
    ...addressLimits(limits).map((limit) => `tcp-request connection reject if ${isQuic} ${limit}`),
    `tcp-request connection track-sc0 ${visitorNetwork} table promoted if ${isQuic}`,
  ];
}

/** No door says it: the claim of the name when its handshake has ended. */
export function http3Claim(http3: Http3 | null, { claims }: AcceleratorPaths): readonly string[] {
  if (http3 === null) return [];
  return [
    `tcp-request session set-var(sess.claim) ssl_fc_sni,lower,map_str(${claims}) if ${isQuic}`,
  ];
}

function addresses({ host, port }: Http3): readonly string[] {
  if (host === "::") return [`quic4@0.0.0.0:${port}`, `quic6@[::]:${port} v6only`];
  return [isIPv6(host) ? `quic6@[${host}]:${port}` : `quic4@${host}:${port}`];
}

/** A name can be demoted at any time; visitors try HTTP/3 in vain no longer than this. */
const announcedSeconds = 300;

/** `Alt-Svc` (RFC 7838): HTTP/3 while a name is promoted, and no longer when it is not. */
export function http3Alternative(http3: Http3 | null): {
  /** `isPromoted` are conditions. */
  requests(isPromoted: string): readonly string[];
  readonly responses: readonly string[];
  /** Rules for fast requests alone. */
  readonly fast: readonly string[];
} {
  if (http3 === null) return { requests: () => [], responses: [], fast: [] };
  const withdrawn = "txn.withdrawn";
  return {
    requests: (isPromoted) => [
      `http-request set-var(${withdrawn}) bool(true) unless ${isPromoted}`,
    ],
    responses: [`http-after-response set-header alt-svc clear if { var(${withdrawn}) -m found }`],
    fast: [
      `http-after-response set-header alt-svc "h3=\\":${http3.publicPort}\\"; ma=${announcedSeconds}"`,
    ],
  };
}
