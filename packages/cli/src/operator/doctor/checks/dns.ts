import { promises as dns, getServers } from "node:dns";
import { BlockList, isIPv6 } from "node:net";
import { type Config, caaIssuer, newRandomLabel } from "@mooring/control";
import { type Finding, fail, ok, warn } from "./finding.ts";

const name = "dns_resolvers";
const timeoutMs = 2_000;
/** A zone that every public resolver knows; a negative reply counts as a reply. */
const question = "com";
/** How Node reports a negative reply (no such record, no such name). */
const absentCodes = ["ENODATA", "ENOTFOUND"];

/** Sends one question to each configured resolver, or to the system's. */
export async function checkResolvers(configured: readonly string[]): Promise<Finding> {
  const servers = configured.length > 0 ? configured : getServers();
  if (servers.length === 0) {
    return fail(
      name,
      "this system has no DNS resolver",
      "set DNS_RESOLVERS, as in 1.1.1.1,9.9.9.9",
    );
  }
  const replies = await Promise.all(servers.map(hasAnswered));
  const unresponsive = servers.filter((_, index) => replies[index] === false);
  if (unresponsive.length === 0) return ok(name, `${servers.join(", ")} answer`);
  const fix = "set DNS_RESOLVERS to resolvers that this machine may ask, or open UDP and TCP 53";
  const detail = `no answer from ${unresponsive.join(", ")}`;
  return unresponsive.length === servers.length ? fail(name, detail, fix) : warn(name, detail, fix);
}

async function hasAnswered(server: string): Promise<boolean> {
  return (await answersOrNull(createResolver([server]).resolveNs(question))) !== null;
}

type EdgeConfig = Pick<
  Config,
  "edgeCname" | "edgeTargets" | "edgeIpv4" | "edgeIpv6" | "dnsResolvers" | "acmeDirectoryUrls"
>;

/** Names that public DNS does not have (RFC 6761), for use on one machine. */
const localName = /(^|\.)(localhost|test)$/;

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/**
 * The name that customers point their domains at must resolve to the addresses that apex domains
 * are given; otherwise half of the customers reach another machine.
 */
export async function checkEdgeName(config: EdgeConfig, isProduction: boolean): Promise<Finding> {
  const check = "edge_name";
  const name = config.edgeCname;
  if (localName.test(name)) {
    if (!isProduction) return ok(check, `${name}: on this machine only`);
    return fail(
      check,
      `EDGE_CNAME is ${name}, which does not resolve in public DNS`,
      "set EDGE_CNAME to a public name whose A record is the edge's address",
    );
  }
  const resolver = createResolver(config.dnsResolvers);
  const found = await Promise.all([
    answersOrNull(resolver.resolve4(name)),
    answersOrNull(resolver.resolve6(name)),
  ]);
  if (found.includes(null)) {
    const fix = "fix dns_resolvers first";
    return warn(check, `no resolver answered for ${name}`, fix);
  }
  return compare(
    name,
    found.flatMap((list) => list ?? []),
    [...config.edgeIpv4, ...config.edgeIpv6],
  );
}

function compare(name: string, found: readonly string[], expected: readonly string[]): Finding {
  const check = "edge_name";
  if (found.length === 0 && expected.length === 0) {
    const fix = `add the A and AAAA records of the edge to ${name}`;
    return fail(check, `${name} has no address in DNS`, fix);
  }
  if (expected.length === 0) {
    const detail = `${name} resolves to ${found.join(", ")}; without EDGE_IPV4 an apex domain needs a DNS provider with ALIAS records`;
    return ok(check, detail);
  }
  if (found.length === 0) {
    const records = expected.map((one) => `${name} ${isIPv6(one) ? "AAAA" : "A"} ${one}`);
    return fail(check, `${name} has no address in DNS`, `add ${records.join(" and ")}`);
  }
  const unexpected = found.filter((address) => !expected.includes(address));
  const missing = expected.filter((address) => !found.includes(address));
  if (unexpected.length === 0 && missing.length === 0) {
    return ok(check, `${name} resolves to ${found.join(", ")}`);
  }
  const detail = `${name} resolves to ${found.join(", ")}, and EDGE_IPV4 and EDGE_IPV6 say ${expected.join(", ")}`;
  const isDefault = expected.every((one) => loopback.check(one, isIPv6(one) ? "ipv6" : "ipv4"));
  const fix = isDefault
    ? `set ${settings(found)}`
    : `set ${settings(found)}, or correct the records of ${name}`;
  return fail(check, detail, fix);
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
 * Each connection's CNAME points to a name of its own below the edge's, which a wildcard record
 * leads to the edge. Nobody has asked for the random one before, so that no cache answers.
 */
export async function checkEdgeTargets(config: EdgeConfig): Promise<Finding> {
  const check = "edge_targets";
  const { edgeCname: name } = config;
  if (config.edgeTargets === "shared") return ok(check, `shared: every CNAME points to ${name}`);
  if (localName.test(name)) return ok(check, `${name}: on this machine only`);
  const resolver = createResolver(config.dnsResolvers);
  const ask = async (asked: string): Promise<readonly string[] | null> => {
    const found = await Promise.all([
      answersOrNull(resolver.resolve4(asked)),
      answersOrNull(resolver.resolve6(asked)),
    ]);
    return found.includes(null) ? null : found.flatMap((list) => list ?? []);
  };
  const [found, own] = await Promise.all([ask(`${newRandomLabel()}.${name}`), ask(name)]);
  if (found === null) {
    return warn(check, `no resolver answered for names below ${name}`, "fix dns_resolvers first");
  }
  const fix = `add *.${name} CNAME ${name}, or set EDGE_TARGETS=shared`;
  if (found.length === 0) {
    const detail = `names below ${name} have no address: new connections get the shared name`;
    return fail(check, detail, fix);
  }
  const ours = [...config.edgeIpv4, ...config.edgeIpv6, ...(own ?? [])];
  if (found.every((address) => ours.includes(address))) {
    return ok(check, `names below ${name} lead to the edge`);
  }
  const detail = `names below ${name} resolve to ${found.join(", ")}, which is not the edge: new connections get the shared name`;
  return fail(check, detail, fix);
}

/**
 * A CA follows a customer's CNAME to the CAA records of its target (RFC 8659 §3), so a CAA record
 * at the edge's name applies to every customer's certificate.
 */
export async function checkEdgeCaa(config: EdgeConfig): Promise<Finding> {
  const check = "edge_caa";
  const name = config.edgeCname;
  if (config.acmeDirectoryUrls.length === 0 || localName.test(name)) {
    return ok(check, "not needed without a public CA");
  }
  const records = await answersOrNull(createResolver(config.dnsResolvers).resolveCaa(name));
  if (records === null) {
    return warn(check, `no resolver answered for CAA of ${name}`, "fix dns_resolvers first");
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
    `CAA of ${name} allows ${named.filter((one) => one !== "").join(", ") || "no CA"}, and certificates come from ${issuers.join(", ")}`,
    `add ${name} CAA 0 issue "${issuers[0]}", or remove its CAA records`,
  );
}

/** The issuer's name, without parameters (RFC 8659 §4.2). */
function issuerIn(value: string): string {
  return value.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** A client of these resolvers, or of the system's, that asks once. */
function createResolver(servers: readonly string[]): dns.Resolver {
  const resolver = new dns.Resolver({ timeout: timeoutMs, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

/** An empty list when the name has no such records; null when no resolver answered. */
async function answersOrNull<T>(question: Promise<readonly T[]>): Promise<readonly T[] | null> {
  try {
    return await question;
  } catch (error) {
    return isAbsent(error) ? [] : null;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && absentCodes.includes(String(error.code));
}
