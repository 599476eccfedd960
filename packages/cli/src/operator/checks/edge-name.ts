import { BlockList, isIPv6 } from "node:net";
import { type Config, caaIssuer } from "@mooring/control";
import { type Finding, fail, ok, warn } from "./finding.ts";
import { answersOf, resolverOf } from "./resolver.ts";

type EdgeConfig = Pick<
  Config,
  "edgeCname" | "edgeIpv4" | "edgeIpv6" | "dnsResolvers" | "acmeDirectoryUrls"
>;

/** Names that no public DNS answers (RFC 6761); they serve one machine. */
const localName = /(^|\.)(localhost|test)$/;

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/**
 * What customers point their domains at: its name must lead to the addresses that apex domains are
 * given, or half of the customers end up elsewhere.
 */
export async function checkEdgeName(config: EdgeConfig, isProduction: boolean): Promise<Finding> {
  const check = "edge_name";
  const name = config.edgeCname;
  if (localName.test(name)) {
    if (!isProduction) return ok(check, `${name}: on this machine only`);
    return fail(
      check,
      `EDGE_CNAME is ${name}, which customers' domains cannot follow`,
      "set EDGE_CNAME to a public name whose A record is the edge's address",
    );
  }
  const resolver = resolverOf(config.dnsResolvers);
  const found = await Promise.all([
    answersOf(resolver.resolve4(name)),
    answersOf(resolver.resolve6(name)),
  ]);
  if (found.includes(null)) {
    const mend = "mend dns_resolvers first";
    return warn(check, `no resolver could be asked for ${name}`, mend);
  }
  return compare(
    name,
    found.flatMap((list) => list ?? []),
    [...config.edgeIpv4, ...config.edgeIpv6],
  );
}

function compare(name: string, found: readonly string[], wanted: readonly string[]): Finding {
  const check = "edge_name";
  if (found.length === 0) {
    const records = wanted.map((one) => `${name} ${isIPv6(one) ? "AAAA" : "A"} ${one}`);
    return fail(check, `${name} has no address in DNS`, `add ${records.join(" and ")}`);
  }
  const strange = found.filter((address) => !wanted.includes(address));
  const unnamed = wanted.filter((address) => !found.includes(address));
  if (strange.length === 0 && unnamed.length === 0) {
    return ok(check, `${name} leads to ${found.join(", ")}`);
  }
  const detail = `${name} leads to ${found.join(", ")}, and EDGE_IPV4 and EDGE_IPV6 say ${wanted.join(", ")}`;
  const isForgotten = wanted.every((one) => loopback.check(one, isIPv6(one) ? "ipv6" : "ipv4"));
  const mend = isForgotten
    ? `set ${settings(found)}`
    : `set ${settings(found)}, or correct the records of ${name}`;
  return fail(check, detail, mend);
}

function settings(addresses: readonly string[]): string {
  const of = (isSix: boolean): string =>
    addresses.filter((address) => isIPv6(address) === isSix).join(",");
  const parts = [
    ["EDGE_IPV4", of(false)],
    ["EDGE_IPV6", of(true)],
  ].filter(([, value]) => value !== "");
  return parts.map(([name, value]) => `${name}=${value}`).join(" ");
}

/**
 * A CA that looks up a customer's CNAME finds the CAA records of its target (RFC 8659 §3), so that
 * one at the edge's name decides over every customer's certificate.
 */
export async function checkEdgeCaa(config: EdgeConfig): Promise<Finding> {
  const check = "edge_caa";
  const name = config.edgeCname;
  if (config.acmeDirectoryUrls.length === 0 || localName.test(name)) {
    return ok(check, "not needed without a public CA");
  }
  const records = await answersOf(resolverOf(config.dnsResolvers).resolveCaa(name));
  if (records === null) {
    return warn(check, `no resolver could be asked for CAA of ${name}`, "mend dns_resolvers first");
  }
  const named = records.flatMap(({ issue }) => (issue === undefined ? [] : [issuerIn(issue)]));
  const { issuers } = caaIssuer(config.acmeDirectoryUrls);
  if (named.length === 0 || named.some((one) => issuers.includes(one))) {
    return ok(
      check,
      named.length === 0 ? `${name} has none` : `${name} allows ${named.join(", ")}`,
    );
  }
  return fail(
    check,
    `CAA of ${name} allows ${named.filter((one) => one !== "").join(", ") || "nobody"}, and certificates come from ${issuers.join(", ")}`,
    `add ${name} CAA 0 issue "${issuers[0]}", or remove its CAA records`,
  );
}

/** The issuer's name, without parameters (RFC 8659 §4.2). */
function issuerIn(value: string): string {
  return value.split(";")[0]?.trim().toLowerCase() ?? "";
}
