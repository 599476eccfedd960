import { unreadHeader } from "../../listen/acceptance.ts";
import { addressLimits, visitorNetwork } from "./address-limits.ts";
import { type ConfigurationOptions, ownId, peer } from "./options.ts";
import { isLeased, section, servers } from "./section.ts";

const isUnread = "{ var(sess.unread) -m bool }";

/** The public port: reads the name of a handshake, and passes the bytes on. */
export function doorSections(options: ConfigurationOptions): readonly string[] {
  return [
    doorSection(options),
    nodeSection(options),
    unreadSection(options),
    promotedSection(options),
  ];
}

function doorSection({ paths, descriptors, limits }: ConfigurationOptions): string {
  return section(
    "# Reads the name of the handshake and passes the bytes on.\nfrontend door from tcp",
    [
      ...descriptors.map((descriptor) => `bind fd@${descriptor}`),
      // A socket for both families has IPv4 addresses as parts of IPv6 (RFC 4291 §2.5.5.2).
      ...["src", "dst"].map(
        (end) =>
          `tcp-request connection set-${end} ${end},ipmask(32,128) if { ${end} ::ffff:0:0/96 }`,
      ),
      `tcp-request connection set-var(sess.unread) bool(true) if { src -f ${paths.proxied} } { src -f ${paths.healthChecks} }`,
      `tcp-request connection expect-proxy layer4 if { src -f ${paths.proxied} } !${isUnread}`,
      `tcp-request inspect-delay ${limits.helloMs}ms`,
      `tcp-request content set-var(sess.claim) str(${unreadHeader}) if ${isUnread}`,
      `tcp-request content accept if ${isUnread}`,
      "tcp-request content set-var(sess.now) date(0,ms)",
      // Read before the certificate is chosen: the connection is of this claim or of none.
      `tcp-request content set-var(sess.claim) req.ssl_sni,lower,map_str(${paths.claims}) if { req.ssl_hello_type 1 }`,
      "unique-id-format %[var(sess.claim)]",
      "tcp-request content accept if { req.ssl_hello_type 1 }",
      `use_backend unread if ${isUnread}`,
      `use_backend promoted if { ${isLeased(paths.lease, "sess.now")} } { var(sess.claim) -m found } { req.ssl_sni,lower,map_str(${paths.names}) -m found } !{ req.ssl_alpn -m sub acme-tls/1 } !{ src -f ${paths.exempt} }`,
      "default_backend node",
    ],
  );
}

function nodeSection(options: ConfigurationOptions): string {
  return section(
    "# The Node edge ends TLS itself and sees the address of the visitor.\nbackend node from tcp",
    nodeRules(options, "send-proxy-v2"),
  );
}

function unreadSection(options: ConfigurationOptions): string {
  return section(
    "# The same, where the peer may send a PROXY protocol header.\nbackend unread from tcp",
    nodeRules(options, "send-proxy-v2 proxy-v2-options unique-id"),
  );
}

function nodeRules(options: ConfigurationOptions, header: string): readonly string[] {
  return [
    "balance leastconn",
    "retries 3",
    "option redispatch 1",
    ...servers(options.workers, (worker) => peer(options, options.paths.tls(worker)), header),
  ];
}

/** With the limits of one more worker of the Node edge. */
function promotedSection(options: ConfigurationOptions): string {
  const { paths, limits } = options;
  return section("backend promoted from tcp", [
    "stick-table type ipv6 size 100k expire 1m store conn_cur,conn_rate(1s)",
    ...addressLimits(limits).map((limit) => `tcp-request content reject if ${limit}`),
    `tcp-request content track-sc0 ${visitorNetwork}`,
    `server web "${peer(options, paths.socketsOf(ownId).web)}" send-proxy-v2 proxy-v2-options unique-id`,
  ]);
}
