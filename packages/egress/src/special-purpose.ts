/**
 * The IANA special-purpose address registries for IPv4 and IPv6 (RFC 6890, RFC 8190), the multicast
 * and reserved space around them, and the platform addresses that answer with credentials. Blocks
 * that the registries call globally reachable (AS112, AMT, PCP) are listed too: none of them holds
 * a server that a customer may name.
 */
export interface SpecialPurpose {
  readonly block: string;
  readonly what: string;
  readonly source: string;
  /**
   * `refuse` always; `private` may be opened by `allowPrivate`; for `embedded` the
   * IPv4 address in its last 32 bits is judged.
   */
  readonly rule: "refuse" | "private" | "embedded";
}

/** In order: the first row that contains an address decides. */
export const specialPurpose: readonly SpecialPurpose[] = [
  // Platform services inside or outside the registered blocks; `allowPrivate` does not open them.
  row("169.254.169.254/32", "instance metadata", "RFC 3927, AWS, Azure, GCP and others"),
  row("169.254.170.2/32", "container credentials", "RFC 3927, AWS ECS"),
  row("169.254.170.23/32", "container credentials", "RFC 3927, AWS EKS"),
  row("100.100.100.200/32", "instance metadata", "RFC 6598, Alibaba Cloud"),
  row("168.63.129.16/32", "platform agent", "Azure"),
  row("fd00:ec2::254/128", "instance metadata", "RFC 4193, AWS"),
  row("fd00:ec2::23/128", "container credentials", "RFC 4193, AWS EKS"),
  row("fd20:ce::254/128", "instance metadata", "RFC 4193, GCP"),

  row("0.0.0.0/8", "this network", "RFC 791 §3.2, RFC 1122 §3.2.1.3"),
  row("10.0.0.0/8", "private use", "RFC 1918", "private"),
  row("100.64.0.0/10", "shared address space", "RFC 6598", "private"),
  row("127.0.0.0/8", "loopback", "RFC 1122 §3.2.1.3", "private"),
  row("169.254.0.0/16", "link-local", "RFC 3927", "private"),
  row("172.16.0.0/12", "private use", "RFC 1918", "private"),
  row("192.0.0.0/29", "IPv4 service continuity", "RFC 7335"),
  row("192.0.0.8/32", "IPv4 dummy address", "RFC 7600"),
  row("192.0.0.9/32", "Port Control Protocol anycast", "RFC 7723"),
  row("192.0.0.10/32", "TURN anycast", "RFC 8155"),
  row("192.0.0.170/31", "NAT64/DNS64 discovery", "RFC 8880, RFC 7050"),
  row("192.0.0.0/24", "IETF protocol assignments", "RFC 6890 §2.1"),
  row("192.0.2.0/24", "documentation", "RFC 5737"),
  row("192.31.196.0/24", "AS112", "RFC 7535"),
  row("192.52.193.0/24", "AMT", "RFC 7450"),
  row("192.88.99.0/24", "6to4 relay anycast", "RFC 7526"),
  row("192.168.0.0/16", "private use", "RFC 1918", "private"),
  row("192.175.48.0/24", "AS112", "RFC 7534"),
  row("198.18.0.0/15", "benchmarking", "RFC 2544"),
  row("198.51.100.0/24", "documentation", "RFC 5737"),
  row("203.0.113.0/24", "documentation", "RFC 5737"),
  row("224.0.0.0/4", "multicast", "RFC 5771"),
  row("255.255.255.255/32", "limited broadcast", "RFC 919, RFC 8190"),
  row("240.0.0.0/4", "reserved", "RFC 1112 §4"),

  row("::/128", "unspecified", "RFC 4291 §2.5.2"),
  row("::1/128", "loopback", "RFC 4291 §2.5.3", "private"),
  row("::ffff:0:0/96", "IPv4-mapped", "RFC 4291 §2.5.5.2", "embedded"),
  row("::/96", "IPv4-compatible", "RFC 4291 §2.5.5.1"),
  row("::ffff:0:0:0/96", "IPv4-translated", "RFC 2765 §2.1"),
  row("64:ff9b::/96", "NAT64", "RFC 6052 §2.1", "embedded"),
  row("64:ff9b:1::/48", "local-use NAT64", "RFC 8215"),
  row("64:ff9b::/32", "IPv4/IPv6 translation", "RFC 6052 §2.1"),
  row("100::/64", "discard-only", "RFC 6666"),
  row("100:0:0:1::/64", "dummy prefix", "RFC 9780"),
  row("2001::/32", "Teredo", "RFC 4380 §2.6"),
  row("2001:1::1/128", "Port Control Protocol anycast", "RFC 7723"),
  row("2001:1::2/128", "TURN anycast", "RFC 8155"),
  row("2001:1::3/128", "DNS-SD service registration anycast", "RFC 9665"),
  row("2001:2::/48", "benchmarking", "RFC 5180"),
  row("2001:3::/32", "AMT", "RFC 7450"),
  row("2001:4:112::/48", "AS112", "RFC 7535"),
  row("2001:10::/28", "ORCHID", "RFC 4843"),
  row("2001:20::/28", "ORCHIDv2", "RFC 7343"),
  row("2001:30::/28", "drone remote identification", "RFC 9374"),
  row("2001::/23", "IETF protocol assignments", "RFC 2928"),
  row("2001:db8::/32", "documentation", "RFC 3849"),
  // Deprecated with its relays, and each address names an IPv4 host to tunnel to: refused as a
  // whole.
  row("2002::/16", "6to4", "RFC 3056 §2, RFC 7526"),
  row("2620:4f:8000::/48", "AS112", "RFC 7534"),
  row("3fff::/20", "documentation", "RFC 9637"),
  row("5f00::/16", "segment routing identifiers", "RFC 9602"),
  row("fc00::/7", "unique local", "RFC 4193", "private"),
  row("fe80::/10", "link-local", "RFC 4291 §2.5.6", "private"),
  row("fec0::/10", "site-local", "RFC 3879"),
  row("ff00::/8", "multicast", "RFC 4291 §2.7"),
];

/**
 * All IPv6 global unicast space that IANA allocates from; the rest is unassigned (RFC 4291 §2.4).
 */
export const globalUnicastV6 = "2000::/3";

function row(
  block: string,
  what: string,
  source: string,
  rule: SpecialPurpose["rule"] = "refuse",
): SpecialPurpose {
  return { block, what, source, rule };
}
