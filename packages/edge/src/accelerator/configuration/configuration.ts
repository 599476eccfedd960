import { serverCiphers } from "../../tls/secure-context.ts";
import { http3Global } from "../http3.ts";
import { doorSections } from "./door.ts";
import { type ConfigurationOptions, ownId, peer } from "./options.ts";
import { section } from "./section.ts";
import { slotSections } from "./slots.ts";
import { referenceVariable, webSections } from "./web.ts";

/** The errors that HAProxy answers itself; 503 is for an origin that it cannot reach. */
export const pageStatuses = [400, 408, 502, 503, 504] as const;

/**
 * HAProxy's buffer has room for heads that the Node edge refuses with 431, and for what the edge
 * adds. No larger: HAProxy copies all of it for each request that it may repeat.
 */
const bufferBytes = 32_768;
const rewriteBytes = 4_096;

/** Of HTTP/2: what a visitor may send before it is read. With 64 KiB an upload costs 1.2 times. */
const windowBytes = 1_048_576;

/** The whole configuration: it changes only with settings, never with names or processes. */
export function haproxyConfiguration(options: ConfigurationOptions): string {
  const sections = [
    globalSection(options),
    ringSection(options),
    ...defaultsSections(options),
    ...doorSections(options),
    ...webSections(options),
    ...slotSections(options),
  ];
  return `${sections.join("\n\n")}\n`;
}

function globalSection({ paths, limits, http3, user }: ConfigurationOptions): string {
  const { tls12, tls13 } = serverCiphers;
  return section("# Written by the edge at each start; changes are lost.\nglobal", [
    `stats socket "unix@${paths.socketsOf(ownId).admin}" mode 600 level admin`,
    // From then on it sees nothing of the disk but its own directory, and that by name only.
    ...(user === null ? [] : [`chroot ${paths.directory}`, `uid ${user.uid}`, `gid ${user.gid}`]),
    "stats timeout 30s",
    "fd-hard-limit 65536",
    `lua-load-per-thread ${paths.responseFields}`,
    `tune.bufsize ${bufferBytes}`,
    `tune.maxrewrite ${rewriteBytes}`,
    `tune.http.maxhdr ${limits.fields + 44}`,
    `tune.h2.max-concurrent-streams ${limits.concurrentStreams}`,
    `tune.h2.initial-window-size ${windowBytes}`,
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

function defaultsSections({ paths, limits }: ConfigurationOptions): readonly string[] {
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
    // As the Node edge does: one that the origin has just closed is tried again below.
    "http-reuse always",
    "retries 1",
    "retry-on conn-failure empty-response",
    ...errors,
  ]);
  return [tcp, http];
}
