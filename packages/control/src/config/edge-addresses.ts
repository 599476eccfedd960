import { BlockList, isIPv4, isIPv6 } from "node:net";
import { canonicalIpv6 } from "@mooring/dns/lookup";
import { z } from "zod";
import { list } from "./values.ts";

/** The edge of an installation on one machine, where nothing is set. */
export const localEdge = { cname: "edge.localhost", ipv4: ["127.0.0.1"] } as const;

const ipv4 = z
  .string()
  .refine((text) => isIPv4(text), "expected an IPv4 address like 203.0.113.10");

/** Canonical, so that it compares equal to what DNS answers. */
const ipv6 = z.string().transform((text, context) => {
  const address = canonicalIpv6(text);
  if (address !== null && !address.startsWith("::ffff:")) return address;
  const message = "expected an IPv6 address like 2001:db8::10; IPv4 belongs in EDGE_IPV4";
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

export function ipv4List() {
  return list(ipv4).transform(once);
}

export function ipv6List() {
  return list(ipv6).transform(once);
}

function once(addresses: readonly string[]): readonly string[] {
  return [...new Set(addresses)];
}

interface EdgeVariables {
  readonly nodeEnv: string;
  readonly edgeCname: string;
  readonly edgeIpv4: readonly string[] | null;
  readonly edgeIpv6: readonly string[];
}

/**
 * Loopback only for the edge on this machine; an edge with a name of its own may have no address
 * here.
 */
export function edgeIpv4(values: EdgeVariables): readonly string[] {
  if (values.edgeIpv4 !== null) return values.edgeIpv4;
  const isLocal = values.edgeCname === localEdge.cname && values.nodeEnv !== "production";
  return isLocal && values.edgeIpv6.length === 0 ? localEdge.ipv4 : [];
}

const unreachable = new BlockList();
unreachable.addSubnet("127.0.0.0", 8);
unreachable.addAddress("0.0.0.0");
unreachable.addAddress("::1", "ipv6");
unreachable.addAddress("::", "ipv6");

/** In production no customer is asked to point a domain at their own machine. */
export function edgeAddressProblems(values: EdgeVariables): string[] {
  if (values.nodeEnv !== "production") return [];
  return [
    ["EDGE_IPV4", values.edgeIpv4 ?? []] as const,
    ["EDGE_IPV6", values.edgeIpv6] as const,
  ].flatMap(([variable, addresses]) =>
    addresses
      .filter((address) => unreachable.check(address, isIPv6(address) ? "ipv6" : "ipv4"))
      .map(
        (address) =>
          `${variable}: ${address} is not reachable for visitors; set the edge's public addresses, or none if it is known by name only`,
      ),
  );
}
