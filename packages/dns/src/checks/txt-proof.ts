import type { DnssecFault } from "../dnssec/verdict.ts";
import type { FailureReason, NameServer, Reply, Resolver } from "../resolve/resolver.ts";

type ProofReason =
  | "dns_timeout"
  | "dns_servfail"
  | "dnssec_bogus"
  | "not_registered"
  | "wildcard"
  | "cname";

export interface ServerProof {
  /** The server's host name in the delegation. */
  readonly server: string;
  readonly outcome: "match" | "mismatch" | "absent" | "unknown";
  readonly values: readonly string[];
  readonly reason?: FailureReason | "wildcard" | "cname";
}

export interface TxtProof {
  /** `partial`: some servers that answer have the value and some do not yet. */
  readonly outcome: "match" | "partial" | "mismatch" | "absent" | "unknown";
  /** Every value observed at the name, each once. */
  readonly observed: readonly string[];
  readonly servers: readonly ServerProof[];
  readonly reason?: ProofReason;
  /** With the reason `dnssec_bogus`: what our own validation found. */
  readonly fault?: DnssecFault;
}

export interface TxtExpectation {
  readonly name: string;
  readonly value: string;
  /** An unguessable label. A server that answers for it too has a wildcard. */
  readonly randomLabel: string;
  readonly signal: AbortSignal;
}

/**
 * Whether the zone's authoritative servers prove the TXT value at exactly this name. Every server
 * that answers must return it, owned by the name itself (no CNAME, no wildcard). Of two or more
 * servers at least two must answer. Recursive resolvers only find the servers. In a signed zone the
 * answer must be authentic too.
 */
export async function proveTxt(resolver: Resolver, expected: TxtExpectation): Promise<TxtProof> {
  const zone = await resolver.findZone(expected.name, expected.signal);
  if (zone.outcome === "unregistered") {
    return { outcome: "absent", observed: [], servers: [], reason: "not_registered" };
  }
  if (zone.outcome === "failed") {
    return { outcome: "unknown", observed: [], servers: [], reason: publicReason(zone.reason) };
  }
  const [servers, verdict] = await Promise.all([
    Promise.all(zone.servers.map((server) => proveAt(resolver, server, expected))),
    resolver.validate?.(expected.name, ["TXT"], expected.signal),
  ]);
  const proof = judge(servers);
  // What is not authentic proves neither presence nor absence.
  if (verdict?.outcome !== "bogus") return proof;
  return { ...proof, outcome: "unknown", reason: "dnssec_bogus", fault: verdict.fault };
}

async function proveAt(
  resolver: Resolver,
  server: NameServer,
  expected: TxtExpectation,
): Promise<ServerProof> {
  const { name, value, signal } = expected;
  const ask = (owner: string) =>
    resolver.askServer(server, owner, "TXT", { signal, transport: "tcp" });
  const proof = readTxtAt(server.host, name, await ask(name));
  if (proof.outcome !== "mismatch" || !proof.values.includes(value)) return proof;
  const sibling = `${expected.randomLabel}${name.slice(name.indexOf("."))}`;
  const elsewhere = await ask(sibling);
  if (elsewhere.outcome === "failed") {
    return { ...proof, outcome: "unknown", reason: elsewhere.reason };
  }
  const isEverywhere =
    elsewhere.outcome === "records" && elsewhere.records.some((record) => record.value === value);
  return isEverywhere ? { ...proof, reason: "wildcard" } : { ...proof, outcome: "match" };
}

/** Values count as a mismatch until they are compared. */
function readTxtAt(server: string, name: string, reply: Reply): ServerProof {
  if (reply.outcome === "failed") {
    return { server, outcome: "unknown", values: [], reason: reply.reason };
  }
  if (reply.chain.length > 0) return { server, outcome: "mismatch", values: [], reason: "cname" };
  if (reply.outcome === "absent") return { server, outcome: "absent", values: [] };
  const owned = reply.records.filter((record) => record.name === name);
  return { server, outcome: "mismatch", values: owned.map((record) => record.value) };
}

function judge(servers: readonly ServerProof[]): TxtProof {
  const observed = [...new Set(servers.flatMap((server) => server.values))];
  const answered = servers.filter((server) => server.outcome !== "unknown");
  if (answered.length < Math.min(2, Math.max(1, servers.length))) {
    return { outcome: "unknown", observed, servers, reason: failureOf(servers) };
  }
  const matching = answered.filter((server) => server.outcome === "match");
  if (matching.length === answered.length) return { outcome: "match", observed, servers };
  const reason = answered.map((server) => server.reason).find(isTrick);
  const because = reason === undefined ? {} : { reason };
  if (matching.length > 0) return { outcome: "partial", observed, servers, ...because };
  const hasValues = answered.some((server) => server.outcome === "mismatch");
  return { outcome: hasValues ? "mismatch" : "absent", observed, servers, ...because };
}

function isTrick(reason: ServerProof["reason"]): reason is "wildcard" | "cname" {
  return reason === "wildcard" || reason === "cname";
}

function failureOf(servers: readonly ServerProof[]): ProofReason {
  const reasons = servers.map((server) => server.reason);
  const isOnlySilence = reasons.every(
    (reason) => reason === undefined || reason === "timeout" || reason === "unreachable",
  );
  return isOnlySilence ? "dns_timeout" : "dns_servfail";
}

function publicReason(reason: FailureReason): ProofReason {
  if (reason === "bogus") return "dnssec_bogus";
  return reason === "timeout" || reason === "unreachable" ? "dns_timeout" : "dns_servfail";
}
