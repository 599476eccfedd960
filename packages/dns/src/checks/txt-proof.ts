import type { DnssecFault } from "../dnssec/verdict.ts";
import type { FailureReason, NameServer, Reply, Resolver } from "../resolve/resolver.ts";
import { boundValues } from "./observed-values.ts";

type ProofReason = "dns_timeout" | "dns_servfail" | "dnssec_bogus" | "not_registered" | Trick;

/** How a value can be at a name without being the name's own. */
type Trick = "wildcard" | "wildcard_answer" | "cname";

export interface ServerProof {
  /** The server's host name in the delegation. */
  readonly server: string;
  readonly outcome: "match" | "mismatch" | "absent" | "unknown";
  readonly values: readonly string[];
  readonly reason?: FailureReason | Trick;
  /** How the values came. */
  readonly transport?: "udp" | "tcp";
}

export type TxtProof = RecordProof;

/** What the servers of a zone answer for a record that proves ownership. */
export interface RecordProof {
  /** `partial`: some servers that answer have the value and some do not yet. */
  readonly outcome: "match" | "partial" | "mismatch" | "absent" | "unknown";
  /** The values observed at the name, each once; bounded, as are each server's `values`. */
  readonly observed: readonly string[];
  /** More was seen than `observed` has; absent: no. */
  readonly isTruncated?: boolean;
  readonly servers: readonly ServerProof[];
  readonly reason?: ProofReason;
  /**
   * The servers that gave no answer now, and since when; absent when the servers were not asked.
   */
  readonly silentSince?: ReadonlyMap<string, Date>;
  /** The servers whose long silence did not hold up the outcome. */
  readonly passedOver?: readonly string[];
  /** With the reason `dnssec_bogus`: what our own validation found. */
  readonly fault?: DnssecFault;
}

export interface ProofExpectation {
  readonly name: string;
  /** Of a CNAME its target, in canonical form. */
  readonly value: string;
  /** An unguessable label. A server that answers for it too has a wildcard. */
  readonly randomLabel: string;
  readonly signal: AbortSignal;
  /** Without it silence never counts for anything. */
  readonly silence?: Silence;
}

/** What earlier checks know of servers that do not answer. */
export interface Silence {
  readonly now: Date;
  /** Since when each server that was silent in the last check has been. */
  readonly since: () => Promise<ReadonlyMap<string, Date>>;
}

/** After this the servers that answer suffice. */
const longSilenceMs = 10 * 60_000;
/** So many operators' resolvers must then see the value too. */
const agreeingOperators = 2;

/** What differs between the types of records that prove. */
interface ProofKind {
  readonly type: "TXT" | "CNAME";
  /** Whether a name with these values proves the expected one. */
  readonly isProof: (values: readonly string[], value: string) => boolean;
  /** Whether what a random name beside it has shows that the value is not the name's own. */
  readonly isEverywhere: (found: string, value: string, randomLabel: string) => boolean;
  readonly wildcardReason: "wildcard" | "wildcard_answer";
  /**
   * Whether the record must be in a zone that begins above the name. An apex has no CNAME (RFC 1034
   * section 3.6.2), and servers that give one may be those of somebody to whom the name alone was
   * delegated, who could deny every name beside it.
   */
  readonly isBelowApex: boolean;
}

const txtKind: ProofKind = {
  type: "TXT",
  isProof: (values, value) => values.includes(value),
  isEverywhere: (found, value) => found === value,
  wildcardReason: "wildcard",
  isBelowApex: false,
};

/** A name has one CNAME: a server that gives two proves neither. */
const cnameKind: ProofKind = {
  type: "CNAME",
  isProof: (values, value) => values.length === 1 && values[0] === value,
  // A DNAME gives each name below it a CNAME with the name's own label (RFC 6672 section 3.1).
  isEverywhere: (found, value, randomLabel) =>
    found === value || found === `${randomLabel}${value.slice(value.indexOf("."))}`,
  wildcardReason: "wildcard_answer",
  isBelowApex: true,
};

type Expectation = ProofExpectation & { readonly kind: ProofKind };

/**
 * Whether the zone's authoritative servers prove the TXT value at exactly this name. Every server
 * that answers must return it, owned by the name itself (no CNAME, no wildcard). Of two or more
 * servers at least two must answer, unless all others have been silent for ten minutes: then one
 * over TCP suffices if the recursive resolvers of two operators see the value as well. Otherwise
 * recursive resolvers only find the servers. In a signed zone the answer must be authentic too.
 */
export function proveTxt(resolver: Resolver, expected: ProofExpectation): Promise<RecordProof> {
  return prove(resolver, { ...expected, kind: txtKind });
}

/**
 * The same for a CNAME at exactly this name whose target is exactly the value: the first hop
 * counts, whatever it leads to. A CNAME that a random name beside it has too is a wildcard's, and
 * the apex of a zone has none.
 */
export function proveCname(resolver: Resolver, expected: ProofExpectation): Promise<RecordProof> {
  return prove(resolver, { ...expected, kind: cnameKind });
}

async function prove(resolver: Resolver, expected: Expectation): Promise<RecordProof> {
  const zone = await resolver.findZone(expected.name, expected.signal);
  if (zone.outcome === "unregistered") {
    return { outcome: "absent", observed: [], servers: [], reason: "not_registered" };
  }
  if (zone.outcome === "failed") {
    return { outcome: "unknown", observed: [], servers: [], reason: publicReason(zone.reason) };
  }
  if (expected.kind.isBelowApex && zone.zone === expected.name) {
    return { outcome: "absent", observed: [], servers: [] };
  }
  const [servers, verdict] = await Promise.all([
    Promise.all(zone.servers.map((server) => proveAt(resolver, server, expected))),
    resolver.validate?.(expected.name, [expected.kind.type], expected.signal),
  ]);
  const silentSince = await readSilence(servers, expected.silence);
  const judged = await judgeAll(resolver, servers, silentSince, expected);
  const proof = { ...bounded(judged, expected.value), silentSince };
  // What is not authentic proves neither presence nor absence.
  if (verdict?.outcome !== "bogus") return proof;
  return { ...proof, outcome: "unknown", reason: "dnssec_bogus", fault: verdict.fault };
}

/** The value is compared with all that a server returned; what is retained of it is bounded. */
function bounded(proof: RecordProof, requested: string): RecordProof {
  const { values, isTruncated } = boundValues(proof.observed, requested);
  return {
    ...proof,
    observed: values,
    isTruncated,
    servers: proof.servers.map((server) => ({
      ...server,
      values: boundValues(server.values, requested).values,
    })),
  };
}

async function proveAt(
  resolver: Resolver,
  server: NameServer,
  expected: Expectation,
): Promise<ServerProof> {
  const { name, value, signal, kind } = expected;
  const ask = (owner: string) =>
    resolver.askServer(server, owner, kind.type, { signal, transport: "tcp" });
  const proof = readAt(server.host, name, await ask(name));
  if (proof.outcome !== "mismatch" || !kind.isProof(proof.values, value)) return proof;
  const sibling = `${expected.randomLabel}${name.slice(name.indexOf("."))}`;
  const elsewhere = await ask(sibling);
  if (elsewhere.outcome === "failed") {
    return { ...proof, outcome: "unknown", reason: elsewhere.reason };
  }
  const isEverywhere =
    elsewhere.outcome === "records" &&
    elsewhere.records.some((record) =>
      kind.isEverywhere(record.value, value, expected.randomLabel),
    );
  return isEverywhere ? { ...proof, reason: kind.wildcardReason } : { ...proof, outcome: "match" };
}

/** Remembers silence from check to check; a server that answers is forgotten. */
async function readSilence(
  servers: readonly ServerProof[],
  silence: Silence | undefined,
): Promise<ReadonlyMap<string, Date>> {
  const silent = servers.filter(isSilent).map(({ server }) => server);
  if (silent.length === 0 || silence === undefined) return new Map();
  const before = await silence.since();
  return new Map(silent.map((server) => [server, before.get(server) ?? silence.now]));
}

function isSilent({ outcome, reason }: ServerProof): boolean {
  return outcome === "unknown" && (reason === "timeout" || reason === "unreachable");
}

/** Judges by all servers, or without those that have been silent for too long to wait for. */
async function judgeAll(
  resolver: Resolver,
  servers: readonly ServerProof[],
  silentSince: ReadonlyMap<string, Date>,
  expected: Expectation,
): Promise<RecordProof> {
  const proof = judge(servers);
  const answered = servers.filter(({ outcome }) => outcome !== "unknown");
  const isWaitedFor = servers.some(
    (server) =>
      server.outcome === "unknown" && !isLongSilent(silentSince.get(server.server), expected),
  );
  if (proof.outcome !== "unknown" || answered.length === 0 || isWaitedFor) return proof;
  const without = judge(answered);
  const passedOver = [...silentSince.keys()];
  if (without.outcome !== "match") return { ...without, servers, passedOver };
  const isOverTcp = answered.some(({ transport }) => transport === "tcp");
  if (!isOverTcp || !(await isSeenByResolvers(resolver, expected))) return proof;
  return { ...without, servers, passedOver };
}

function isLongSilent(since: Date | undefined, { silence }: ProofExpectation): boolean {
  if (since === undefined || silence === undefined) return false;
  return silence.now.getTime() - since.getTime() >= longSilenceMs;
}

/** No resolver that answers may see anything else; those of two operators must have answered. */
async function isSeenByResolvers(
  resolver: Resolver,
  { name, value, signal, kind }: Expectation,
): Promise<boolean> {
  const asked = (await resolver.resolveEach?.(name, kind.type, signal)) ?? [];
  const answers = asked.filter(({ reply }) => reply.outcome !== "failed");
  const agreeing = answers.filter(
    ({ reply }) =>
      reply.outcome === "records" &&
      reply.chain.length === 0 &&
      reply.records.some((record) => record.name === name && record.value === value),
  );
  const networks = new Set(agreeing.map(({ network }) => network));
  return agreeing.length === answers.length && networks.size >= agreeingOperators;
}

/** Values count as a mismatch until they are compared. */
function readAt(server: string, name: string, reply: Reply): ServerProof {
  if (reply.outcome === "failed") {
    return { server, outcome: "unknown", values: [], reason: reply.reason };
  }
  if (reply.chain.length > 0) return { server, outcome: "mismatch", values: [], reason: "cname" };
  if (reply.outcome === "absent") return { server, outcome: "absent", values: [] };
  const owned = reply.records.filter((record) => record.name === name);
  const values = owned.map((record) => record.value);
  return { server, outcome: "mismatch", values, transport: reply.transport };
}

function judge(servers: readonly ServerProof[]): RecordProof {
  const observed = [...new Set(servers.flatMap((server) => server.values))];
  const answered = servers.filter((server) => server.outcome !== "unknown");
  if (answered.length < Math.min(2, Math.max(1, servers.length))) {
    return { outcome: "unknown", observed, servers, reason: summarizeFailure(servers) };
  }
  const matching = answered.filter((server) => server.outcome === "match");
  if (matching.length === answered.length) return { outcome: "match", observed, servers };
  const reason = answered.map((server) => server.reason).find(isTrick);
  const because = reason === undefined ? {} : { reason };
  if (matching.length > 0) return { outcome: "partial", observed, servers, ...because };
  const hasValues = answered.some((server) => server.outcome === "mismatch");
  return { outcome: hasValues ? "mismatch" : "absent", observed, servers, ...because };
}

function isTrick(reason: ServerProof["reason"]): reason is Trick {
  return reason === "wildcard" || reason === "wildcard_answer" || reason === "cname";
}

function summarizeFailure(servers: readonly ServerProof[]): ProofReason {
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
