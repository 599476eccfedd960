import path from "node:path";
import type { EdgeLimits } from "../config/limits.ts";
import {
  droppedResponseFields,
  identityFields,
  identityPrefixes,
  replacedRequestFields,
} from "../proxy/headers.ts";
import { serverCiphers } from "../tls/secure-context.ts";
import type { HaproxyUser } from "./haproxy-user.ts";
import { type Http3, http3Alternative, http3Binds, http3Claim, http3Global } from "./http3.ts";
import { listedFieldsAction } from "./listed-fields.ts";
import type { AcceleratorPaths } from "./paths.ts";

export interface ConfigurationOptions {
  readonly paths: AcceleratorPaths;
  /** The sockets of the public port, which are open already. */
  readonly descriptors: readonly number[];
  /** Processes of the Node edge. */
  readonly workers: number;
  /** Names that can be promoted at once. */
  readonly names: number;
  /** The name of this installation in `Via` and `CDN-Loop`. */
  readonly loopId: string;
  readonly limits: EdgeLimits;
  readonly http3: Http3 | null;
  /** Whom HAProxy becomes when its ports are open; null where it stays the user of the edge. */
  readonly user: HaproxyUser | null;
}

/**
 * Fields of a request that the Node edge handles; a request that has one is left to it. The others
 * are a body, which Node measures, and hops, which Node knows.
 */
const fieldsForNode = [
  "cdn-loop",
  "connection",
  "content-length",
  "expect",
  "te",
  "transfer-encoding",
  "upgrade",
  "via",
];

/** Those that only the Node edge handles never get here; HAProxy writes the others itself. */
const droppedFields = [...identityFields, ...replacedRequestFields].filter(
  (name) => name !== "host" && !fieldsForNode.includes(name),
);
export const framingFields = ["connection", "content-length", "transfer-encoding"];
const droppedFromResponse = [...droppedResponseFields].filter(
  (name) => !framingFields.includes(name),
);

/** The errors that HAProxy answers itself; 503 is for an origin that it cannot reach. */
export const pageStatuses = [400, 408, 502, 503, 504] as const;
export const referenceVariable = "var(txn.reference)";

/** HAProxy's buffer has room for the largest head of a request, and for what the edge adds. */
const bufferBytes = 32_768;
const rewriteBytes = 4_096;

// biome-ignore lint/suspicious/noTemplateCurlyInString: HAProxy puts the id here that it is started with (`-L`).
const ownId = "${HAPROXY_LOCALPEER}";

/** The whole configuration: it changes only with settings, never with names or processes. */
export function haproxyConfiguration(options: ConfigurationOptions): string {
  const sections = [
    globalSection(options),
    ringSection(options),
    defaultsSections(options),
    doorSection(options),
    webSection(options),
    slotSections(options),
  ];
  return `${sections.join("\n\n")}\n`;
}

export function slotName(slot: number): string {
  return `slot${slot}`;
}

function section(title: string, lines: readonly string[]): string {
  return [title, ...lines.map((line) => `  ${line}`)].join("\n");
}

function globalSection({ paths, limits, http3, user }: ConfigurationOptions): string {
  const { tls12, tls13 } = serverCiphers;
  return section("# Written by the edge at each start; changes are lost.\nglobal", [
    `stats socket "unix@${paths.socketsOf(ownId).admin}" mode 600 level admin`,
    // From then on it sees nothing of the disk but its own directory, and that by name only.
    ...(user === null ? [] : [`chroot ${paths.directory}`, `uid ${user.uid}`, `gid ${user.gid}`]),
    "stats timeout 30s",
    "fd-hard-limit 65536",
    `lua-load-per-thread ${paths.listedFields}`,
    `tune.bufsize ${bufferBytes}`,
    `tune.maxrewrite ${rewriteBytes}`,
    `tune.http.maxhdr ${limits.fields + 44}`,
    `tune.h2.max-concurrent-streams ${limits.concurrentStreams}`,
    // Not offered: HAProxy accepts a WebSocket over HTTP/2 before the origin has.
    "h2-workaround-bogus-websocket-clients",
    // A session would resume under another name (TLS 1.3 does not bind it to one).
    "tune.ssl.cachesize 0",
    "ssl-default-bind-options no-tls-tickets ssl-min-ver TLSv1.2",
    `ssl-default-bind-ciphers ${tls12}`,
    `ssl-default-bind-ciphersuites ${tls13}`,
    "ssl-default-server-options no-tls-tickets ssl-min-ver TLSv1.2",
    ...http3Global(http3, limits),
  ]);
}

function ringSection(options: ConfigurationOptions): string {
  return section("ring requests", [
    "format raw",
    "maxlen 2000",
    "size 4194304",
    "timeout connect 1s",
    "timeout server 10s",
    `server node ${peer(options, options.paths.log)} log-proto octet-count`,
  ]);
}

/** Where it connects to when it is another user. */
function peer({ user }: ConfigurationOptions, socket: string): string {
  return `unix@${user === null ? socket : `/${path.basename(socket)}`}`;
}

function defaultsSections({ paths, limits }: ConfigurationOptions): string {
  const tcp = section("defaults tcp", [
    "mode tcp",
    "timeout connect 2s",
    `timeout client ${limits.quietStreamMs}ms`,
    `timeout server ${limits.quietStreamMs}ms`,
  ]);
  const errors = pageStatuses.map(
    (status) =>
      `http-error status ${status} content-type "text/html; charset=utf-8" lf-file ${paths.page(status)} hdr x-svc-reference "%[${referenceVariable}]" hdr cache-control no-store`,
  );
  const http = section("defaults http", [
    "mode http",
    "balance roundrobin",
    `timeout connect ${limits.originConnectMs}ms`,
    `timeout client ${limits.stallMs}ms`,
    `timeout server ${limits.originFirstByteMs}ms`,
    `timeout queue ${limits.queueMs}ms`,
    `timeout http-request ${limits.headMs}ms`,
    `timeout http-keep-alive ${limits.keepAliveMs}ms`,
    `timeout tunnel ${limits.quietStreamMs}ms`,
    // Also of one who has closed his half only, as the Node edge does.
    "option abortonclose",
    "retries 1",
    "retry-on conn-failure empty-response",
    ...errors,
  ]);
  return `${tcp}\n\n${http}`;
}

function isLeased({ paths }: ConfigurationOptions, now: string): string {
  return `{ str(lease),map_str_int(${paths.lease},0),sub(${now}) gt 0 }`;
}

function doorSection(options: ConfigurationOptions): string {
  const { paths, workers, limits } = options;
  const door = section(
    "# Reads the name of the handshake and passes the bytes on.\nfrontend door from tcp",
    [
      ...options.descriptors.map((descriptor) => `bind fd@${descriptor}`),
      // A socket for both families has IPv4 addresses as parts of IPv6 (RFC 4291 §2.5.5.2).
      ...["src", "dst"].map(
        (end) =>
          `tcp-request connection set-${end} ${end},ipmask(32,128) if { ${end} ::ffff:0:0/96 }`,
      ),
      `tcp-request inspect-delay ${limits.helloMs}ms`,
      "tcp-request content set-var(sess.now) date(0,ms)",
      // Read before the certificate is chosen: the connection is of this claim or of none.
      `tcp-request content set-var(sess.claim) req.ssl_sni,lower,map_str(${paths.claims}) if { req.ssl_hello_type 1 }`,
      "unique-id-format %[var(sess.claim)]",
      "tcp-request content accept if { req.ssl_hello_type 1 }",
      `use_backend promoted if ${isLeased(options, "sess.now")} { var(sess.claim) -m found } { req.ssl_sni,lower,map_str(${paths.names}) -m found } !{ req.ssl_alpn -m sub acme-tls/1 } !{ src -f ${paths.exempt} }`,
      "default_backend node",
    ],
  );
  const node = section(
    "# The Node edge ends TLS itself and sees the address of the visitor.\nbackend node from tcp",
    [
      "balance leastconn",
      "retries 3",
      "option redispatch 1",
      ...servers(workers, (worker) => peer(options, paths.tls(worker)), "send-proxy-v2"),
    ],
  );
  // As in one more worker of the Node edge; IPv6 by /64.
  const promoted = section("backend promoted from tcp", [
    `stick-table type ipv6 size 100k expire 1m store conn_cur,conn_rate(1s)`,
    "tcp-request content track-sc0 src,ipmask(32,64)",
    `tcp-request content reject if { sc0_conn_cur gt ${limits.connectionsPerAddress} }`,
    `tcp-request content reject if { sc0_conn_rate gt ${limits.handshakesPerAddressPerSecond} }`,
    `server web "${peer(options, paths.socketsOf(ownId).web)}" send-proxy-v2 proxy-v2-options unique-id`,
  ]);
  return [door, node, promoted].join("\n\n");
}

function servers(count: number, at: (worker: number) => string, options: string): string[] {
  return Array.from({ length: count }, (_, worker) => `server w${worker} ${at(worker)} ${options}`);
}

/** What the Node edge reads of one line; `accelerator/request-log.ts`. */
export const logFormat = [
  "%[var(txn.fast)]",
  "%[var(sess.claim)]",
  "%[var(txn.name)]",
  "%[var(txn.first)]",
  "%ci",
  "%ST",
  "%ts",
  "%B",
  "%[var(txn.head)]",
  "%[var(txn.length)]",
  "%Ta",
  "%Tr",
  "%[var(txn.reference)]",
  "%HM",
  "%HPO",
].join(" ");

/** What HAProxy does not forward as the Node edge would. */
function slowRequests(limits: EdgeLimits): readonly string[] {
  const forNode = `(^|:)(${fieldsForNode.join("|")})(:|$)|[^a-z0-9:-]|^([^:]*+:){${limits.fields}}`;
  return [
    "!{ method GET HEAD }",
    "!{ req.ver 1.1 2.0 3.0 }",
    "!{ req.fhdr_cnt(host) eq 1 }",
    "!{ req.fhdr(host),strcmp(txn.name) eq 0 }",
    // An absolute target names a host of its own; HAProxy makes one of every request of HTTP/2.
    "{ req.ver 1.1 } !{ url_beg / }",
    // A body needs no field that says so, but in HTTP/1.1.
    "!{ req.ver 1.1 } !{ internal.htx.has_eom }",
    "{ req.body_len gt 0 }",
    "!{ pathq -m reg ^/[\\x21\\x22\\x24-\\x7e]*$ }",
    "{ path_beg /.well-known/ }",
    `{ var(txn.names) -m reg ${forNode} }`,
    "{ req.fhdr_cnt(cookie) gt 1 }",
    "{ req.fhdr(accept) -m sub -i text/event-stream }",
    `{ req.hdrs,length gt ${limits.headBytes} }`,
  ];
}

/**
 * A request is fast when the Node edge would forward it as it is, with the fields below. Everything
 * else goes to the Node edge, decrypted, with the claim under which the connection was opened.
 */
function webSection(options: ConfigurationOptions): string {
  const { paths, workers, limits, loopId, http3, user } = options;
  const alternative = http3Alternative(http3);
  const found = (map: string): string => `var(txn.name),map_str(${map})`;
  const fast = "if { var(txn.fast) -m bool }";
  const web = section("# Ends TLS of promoted names.\nfrontend web from http", [
    `bind "unix@${paths.socketsOf(ownId).web}" mode 600${user === null ? "" : ` uid ${user.uid}`} accept-proxy ssl crt-list ${paths.certificates} strict-sni alpn h2,http/1.1`,
    ...http3Binds(http3, paths, limits),
    "log ring@requests format raw local0",
    `log-format "${logFormat}"`,
    "option dontlognull",
    // One that leaves tells a visitor with its next response, who may have sent the request.
    "option idle-close-on-response",
    "unique-id-format %[var(sess.claim)]",
    "tcp-request session set-var(sess.claim) fc_pp_unique_id",
    ...http3Claim(http3, paths),
    // A path of "*", which only OPTIONS has (RFC 9113 §8.3.1): it would be written as "/".
    "http-request deny deny_status 400 if { url -m reg ^https?://[^/]*$ } !{ method OPTIONS }",
    "http-request set-var(txn.now) date(0,ms)",
    "http-request set-var(txn.reference) uuid,bytes(24,12)",
    "http-request set-var(txn.name) ssl_fc_sni,lower",
    `http-request set-var(txn.claim) ${found(paths.claims)}`,
    "http-request set-var(txn.first) int(1) if !{ var(sess.asked) -m found }",
    "http-request set-var(sess.asked) int(1)",
    `http-request set-var(txn.slot) ${found(paths.slots)}`,
    `http-request set-var(txn.assertion) ${found(paths.assertions)}`,
    "http-request set-var(txn.names) req.hdr_names(:)",
    `http-request set-var(txn.fast) bool(true) if ${isLeased(options, "txn.now")} { var(sess.claim),strcmp(txn.claim) eq 0 } { var(txn.slot) -m found } { var(txn.assertion) -m found }`,
    ...alternative.unlessPromoted,
    ...slowRequests(limits).map((condition) => `http-request unset-var(txn.fast) if ${condition}`),
    ...alternative.whenFast,
    ...droppedFields.map((name) => `http-request del-header ${name} ${fast}`),
    ...identityPrefixes.map((prefix) => `http-request del-header ${prefix} -m beg ${fast}`),
    `http-request set-header x-forwarded-for %[src] ${fast}`,
    `http-request set-header x-forwarded-proto https ${fast}`,
    `http-request set-header x-forwarded-host %[var(txn.name)] ${fast}`,
    `http-request set-header x-real-ip %[src] ${fast}`,
    `http-request set-header x-svc-assertion %[var(txn.assertion)] ${fast}`,
    `http-request set-header x-svc-connection %[var(txn.claim),field(1,.)] ${fast}`,
    `http-request set-header via "%[req.ver] ${loopId}" ${fast}`,
    `http-request set-header cdn-loop ${loopId} ${fast}`,
    ...responseRules(fast),
    ...alternative.response,
    `use_backend %[var(txn.slot)] ${fast}`,
    "default_backend decrypted",
  ]);
  const decrypted = section("backend decrypted from http", [
    // A worker that hangs has requests under way, and gets fewer.
    "balance leastconn",
    "http-reuse never",
    "option redispatch 1",
    "retry-on conn-failure",
    `timeout server ${Math.max(limits.quietStreamMs, limits.originFirstByteMs) + 5_000}ms`,
    ...servers(
      workers,
      (worker) => peer(options, paths.decrypted(worker)),
      "send-proxy-v2 proxy-v2-options authority,unique-id",
    ),
  ]);
  return `${web}\n\n${decrypted}`;
}

/** What visitors get of an origin's response, as `proxy/headers.ts` has it. */
function responseRules(fast: string): readonly string[] {
  return [
    "http-response set-var(txn.head) res.hdrs,length",
    "http-response set-var(txn.length) res.fhdr(content-length)",
    // HAProxy has taken `close` and `keep-alive` away; a script that has failed has left it.
    `http-response lua.${listedFieldsAction} ${fast} { res.fhdr_cnt(connection) gt 0 }`,
    `http-response deny deny_status 502 ${fast} { res.fhdr_cnt(connection) gt 0 }`,
    ...droppedFromResponse.map((name) => `http-response del-header ${name} ${fast}`),
    `http-response del-header x-svc- -m beg ${fast}`,
    `http-response set-header date %[date,http_date] ${fast} !{ res.fhdr_cnt(date) gt 0 }`,
    `http-after-response set-status 502 reason "Bad Gateway" if { status 503 } { var(txn.fast) -m bool } { res.fhdr_cnt(x-svc-reference) gt 0 }`,
  ];
}

/** One for each promoted name, so that no connection to an origin serves two of them. */
function slotSections({ names, paths }: ConfigurationOptions): string {
  // Servers that are added later may name only files that are loaded.
  const loaded = section("backend loaded from http", [
    `server trusted 127.0.0.1:9 disabled ssl verify required ca-file ${paths.trusted}`,
  ]);
  const slots = Array.from({ length: names }, (_, slot) => `backend ${slotName(slot)} from http`);
  return [loaded, ...slots].join("\n");
}
