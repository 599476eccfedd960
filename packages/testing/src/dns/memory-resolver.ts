import { isAtOrBelow } from "../../../dns/src/name.ts";
import type { FailureReason, Reply, Resolver } from "../../../dns/src/resolve/resolver.ts";
import type { AnswerRecord } from "../../../dns/src/wire/message.ts";
import type { QueryType } from "../../../dns/src/wire/rdata.ts";

/** The records a server holds, or why it never answers. */
export type Holding = readonly AnswerRecord[] | FailureReason;

/** A line like `www.acme.example 60 A 192.0.2.1`; MX and SRV values start with their priority. */
export function records(...lines: readonly string[]): readonly AnswerRecord[] {
  return lines.map((line) => {
    const [name = "", ttl = "", type = "", ...rest] = line.split(" ");
    const hasPriority = ["MX", "SRV", "HTTPS"].includes(type);
    return {
      name,
      ttl: Number(ttl),
      type: queryType(type),
      value: rest.slice(hasPriority ? 1 : 0).join(" "),
      priority: hasPriority ? Number(rest[0]) : null,
    };
  });
}

/** Throws on an unknown type, so that a typo fails the test. */
function queryType(text: string): QueryType {
  const types = [
    "A",
    "AAAA",
    "CNAME",
    "TXT",
    "MX",
    "CAA",
    "NS",
    "SRV",
    "SOA",
    "DS",
    "DNSKEY",
    "HTTPS",
  ] as const;
  const type = types.find((known) => known === text);
  if (type === undefined) throw new Error(`unknown record type ${text}`);
  return type;
}

/**
 * DNS in memory: one zone whose servers may differ, and the records that recursive resolvers
 * return. A name outside the zone is unregistered. `asked` lists every question sent to a server.
 */
export function memoryResolver(dns: {
  readonly zone: string;
  readonly servers: Readonly<Record<string, Holding>>;
  readonly recursive?: Holding;
  readonly zoneFailure?: FailureReason;
}): Resolver & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    findZone: async (name, signal) => {
      signal.throwIfAborted();
      if (dns.zoneFailure !== undefined) return { outcome: "failed", reason: dns.zoneFailure };
      if (!isAtOrBelow(name, dns.zone)) return { outcome: "unregistered" };
      const servers = Object.keys(dns.servers).map((host) => ({ host, addresses: ["192.0.2.53"] }));
      return { outcome: "found", zone: dns.zone, servers };
    },
    askServer: async (server, name, type, { signal, transport }) => {
      signal.throwIfAborted();
      asked.push(`${server.host} ${name} ${type} ${transport}`);
      return answer(dns.servers[server.host] ?? "unreachable", name, type, transport);
    },
    resolve: async (name, type, signal) => {
      signal.throwIfAborted();
      return answer(dns.recursive ?? [], name, type, "udp");
    },
  };
}

function answer(holding: Holding, name: string, type: QueryType, transport: "udp" | "tcp"): Reply {
  if (typeof holding === "string") return { outcome: "failed", reason: holding };
  const chain: string[] = [];
  for (let owner = name; ; ) {
    const found = at(holding, owner).filter((record) => record.type === type);
    if (found.length > 0) {
      return { outcome: "records", records: found, chain, authoritative: true, transport };
    }
    const alias = at(holding, owner).find((record) => record.type === "CNAME");
    if (alias === undefined) break;
    if (chain.includes(alias.value)) return { outcome: "failed", reason: "cname_loop" };
    chain.push(alias.value);
    owner = alias.value;
  }
  const exists = holding.some((record) => isAtOrBelow(record.name, name));
  const rcode = exists ? "NOERROR" : "NXDOMAIN";
  return { outcome: "absent", rcode, chain, negativeTtlSeconds: 30, authoritative: true };
}

/** The records at a name, or those of its wildcard, expanded to the name as a server does. */
function at(holding: readonly AnswerRecord[], name: string): readonly AnswerRecord[] {
  const own = holding.filter((record) => record.name === name);
  if (own.length > 0) return own;
  const wildcard = `*${name.slice(name.indexOf("."))}`;
  return holding
    .filter((record) => record.name === wildcard)
    .map((record) => ({ ...record, name }));
}
