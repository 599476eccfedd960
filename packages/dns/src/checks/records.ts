import { registrableDomain } from "../name.ts";
import type { DnsRecord } from "../record.ts";
import { cacheSeconds } from "../resolve/at-authority.ts";
import {
  type FailureReason,
  type NameServer,
  type Reply,
  type Resolver,
  withAnswerCache,
} from "../resolve/resolver.ts";
import type { AnswerRecord } from "../wire/message.ts";
import type { QueryType } from "../wire/rdata.ts";
import { type EdgeValues, followToEdge } from "./alias-chain.ts";
import { boundValues } from "./observed-values.ts";

export type RecordOutcome = "match" | "mismatch" | "absent" | "conflict" | "unknown";

export interface ServerCheck {
  readonly server: string;
  readonly outcome: RecordOutcome;
  readonly values: readonly string[];
  readonly reason?: FailureReason;
}

export interface RecordCheck {
  readonly record: DnsRecord;
  /** The worst outcome of the servers that answered; `unknown` when none did. */
  readonly outcome: RecordOutcome;
  /** Of all servers, each once; bounded, as are each server's `values`. */
  readonly observedValues: readonly string[];
  /** How many further values were there. */
  readonly omittedValues: number;
  /** Whether a value was left out or cut. */
  readonly isTruncated: boolean;
  readonly servers: readonly ServerCheck[];
  /** Set where a match leads to the edge by the aliases of names in between. */
  readonly isIndirect?: true;
}

export interface RecordsCheck {
  readonly records: readonly RecordCheck[];
  /**
   * When every cache would return the requested records if they were published now: the latest
   * expiry of what was observed instead. `now` when all match; null when an observation failed.
   */
  readonly visibleEverywhereBy: Date | null;
}

export interface CheckOptions {
  /** The edge's addresses; a flattened name may point to these or to its target's. */
  readonly edgeAddresses: readonly string[];
  /**
   * Names that are as good as one another, first the one that all share: a record that names one,
   * or gives an address of the edge's, is right with any of them, with an address of the edge's,
   * and with an alias that leads to one of these. Names below the first are targets of others.
   */
  readonly edgeNames?: readonly string[];
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** Checks the requested records at every authoritative server of their zones. */
export async function checkRecords(
  resolver: Resolver,
  requested: readonly DnsRecord[],
  options: CheckOptions,
): Promise<RecordsCheck> {
  const once = withAnswerCache(resolver);
  const checked = await Promise.all(
    requested.map((record) => checkRecord(once, record, requested, options)),
  );
  const waits = checked.map(({ cacheSeconds }) => cacheSeconds);
  const isUnknown = checked.some(({ check }) => check.outcome === "unknown");
  return {
    records: checked.map(({ check }) => check),
    visibleEverywhereBy: isUnknown
      ? null
      : new Date(options.now.getTime() + Math.max(0, ...waits) * 1_000),
  };
}

interface Comparison {
  compare(observed: ServerObservation): RecordOutcome;
  /** Where the record leads to; null where only what the name itself has counts. */
  readonly edge: EdgeValues | null;
}

async function checkRecord(
  resolver: Resolver,
  record: DnsRecord,
  requested: readonly DnsRecord[],
  options: CheckOptions,
): Promise<{ check: RecordCheck; cacheSeconds: number }> {
  const found = await resolver.findZone(record.name, options.signal);
  if (found.outcome !== "found") {
    const outcome = found.outcome === "unregistered" ? "absent" : "unknown";
    return { check: { record, outcome, ...nothingObserved }, cacheSeconds: 0 };
  }
  const isApex = record.name === found.zone || record.name === registrableDomain(record.name);
  const isFlattened = record.type === "ALIAS" || (record.type === "CNAME" && isApex);
  const stages = stagesFor(record, isFlattened);
  const comparison = await comparisonFor(resolver, record, requested, isFlattened, options);
  const servers = await Promise.all(
    found.servers.map((server) =>
      checkAt(resolver, server, { record, stages, comparison, signal: options.signal }),
    ),
  );
  const late = servers.filter(({ check }) => check.outcome !== "match");
  const checks = servers.map((server) => server.check);
  const isIndirect = servers.some((server) => server.isIndirect);
  const check = { record, ...summarize(checks, record.value), ...(isIndirect && { isIndirect }) };
  return { check, cacheSeconds: Math.max(0, ...late.map(({ cacheSeconds }) => cacheSeconds)) };
}

/** Of a record whose servers were not asked, or did not answer. */
export const nothingObserved = {
  observedValues: [],
  omittedValues: 0,
  isTruncated: false,
  servers: [],
} as const;

/** The types to query, in stages: the next stage only where the one before found nothing. */
function stagesFor(record: DnsRecord, isFlattened: boolean): readonly (readonly QueryType[])[] {
  if (record.type === "CNAME" && !isFlattened) return [["CNAME"], ["A", "AAAA"]];
  if (record.type === "CNAME" || record.type === "ALIAS") return [["A", "AAAA"]];
  if (record.type === "A" || record.type === "AAAA") return [["A", "AAAA"]];
  return [[record.type]];
}

async function comparisonFor(
  resolver: Resolver,
  record: DnsRecord,
  requested: readonly DnsRecord[],
  isFlattened: boolean,
  options: CheckOptions,
): Promise<Comparison> {
  const edge = isFlattened ? null : await edgeValues(resolver, record, options);
  if (edge !== null) return { compare: (observed) => compareEdge(observed, record, edge), edge };
  const compare = await plainComparison(resolver, record, requested, isFlattened, options);
  return { compare, edge };
}

async function plainComparison(
  resolver: Resolver,
  record: DnsRecord,
  requested: readonly DnsRecord[],
  isFlattened: boolean,
  options: CheckOptions,
): Promise<Comparison["compare"]> {
  if (isFlattened) {
    const target = await resolveAddresses(resolver, record.value, options.signal);
    const allowed = new Set([...(target ?? []), ...options.edgeAddresses]);
    return (observed) => compareAlias(observed, record.value, allowed, target !== null);
  }
  if (record.type === "CNAME") return (observed) => compareCname(observed, record.value);
  if (record.type === "A" || record.type === "AAAA") {
    const union = requested
      .filter(({ name, type }) => name === record.name && (type === "A" || type === "AAAA"))
      .map(({ value }) => value);
    return (observed) => compareAddresses(observed, record.value, new Set(union));
  }
  return (observed) => compareSet(observed, record);
}

/** Null for a record that does not lead to the edge, or where only the record itself is right. */
async function edgeValues(
  resolver: Resolver,
  { type, value }: DnsRecord,
  { edgeNames = [], edgeAddresses, signal }: CheckOptions,
): Promise<EdgeValues | null> {
  const [shared] = edgeNames;
  if (shared === undefined) return null;
  const isEdge = type === "CNAME" ? edgeNames.includes(value) : edgeAddresses.includes(value);
  if (!isEdge) return null;
  const resolved = edgeAddresses.length > 0 ? [] : await resolveAddresses(resolver, shared, signal);
  const addresses = new Set([...edgeAddresses, ...(resolved ?? [])]);
  return { shared, names: new Set(edgeNames), addresses };
}

/** All IPv4 and IPv6 addresses of a name; null when a lookup failed: nothing is concluded then. */
export async function resolveAddresses(
  resolver: Resolver,
  name: string,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const replies = await Promise.all([
    resolver.resolve(name, "A", signal),
    resolver.resolve(name, "AAAA", signal),
  ]);
  if (replies.some((reply) => reply.outcome === "failed")) return null;
  return replies.flatMap(recordsIn).map(({ value }) => value);
}

interface ServerQuestions {
  readonly record: DnsRecord;
  readonly stages: readonly (readonly QueryType[])[];
  readonly comparison: Comparison;
  readonly signal: AbortSignal;
}

interface ServerResult {
  readonly check: ServerCheck;
  readonly cacheSeconds: number;
  readonly isIndirect: boolean;
}

async function checkAt(
  resolver: Resolver,
  server: NameServer,
  questions: ServerQuestions,
): Promise<ServerResult> {
  const replies = await askInStages(resolver, server, questions);
  const failed = replies.find((reply) => reply.outcome === "failed");
  if (failed?.outcome === "failed") {
    const check = { server: server.host, outcome: "unknown", values: [] } as const;
    return { check: { ...check, reason: failed.reason }, cacheSeconds: 0, isIndirect: false };
  }
  const observed = { records: replies.flatMap(recordsIn), aliases: replies.flatMap(chainOf) };
  const values = [...new Set([...observed.aliases, ...observed.records.map(({ value }) => value)])];
  const direct = { server: server.host, outcome: questions.comparison.compare(observed), values };
  const { isIndirect = false, ...check } = await judgeChain(resolver, direct, observed, questions);
  return { check, cacheSeconds: Math.max(0, ...replies.map(cacheSeconds)), isIndirect };
}

/** An alias of a name that is not the edge's is right, too, when that name leads to the edge. */
async function judgeChain(
  resolver: Resolver,
  direct: ServerCheck,
  observed: ServerObservation,
  { record, comparison: { edge }, signal }: ServerQuestions,
): Promise<ServerCheck & { readonly isIndirect?: true }> {
  const [alias, ...others] = cnamesIn(observed);
  const isOpen = direct.outcome === "mismatch" && others.length === 0;
  if (edge === null || alias === undefined || !isOpen) return direct;
  const end = await followToEdge(resolver, alias, edge, signal);
  switch (end.is) {
    case "edge":
      return { ...direct, outcome: "match", isIndirect: true };
    case "another":
      return { ...direct, values: [...new Set([...direct.values, end.name])] };
    case "unknown":
      // Somebody else's name that nobody answers for leads no visitor here.
      return registrableDomain(end.name) === registrableDomain(record.name)
        ? { ...direct, outcome: "unknown", reason: end.reason }
        : direct;
    case "elsewhere":
      return direct;
  }
}

async function askInStages(
  resolver: Resolver,
  server: NameServer,
  { record, stages, signal }: ServerQuestions,
): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  for (const types of stages) {
    const asked = types.map((type) =>
      resolver.askServer(server, record.name, type, { signal, transport: "udp" }),
    );
    replies.push(...(await Promise.all(asked)));
    if (replies.some((reply) => reply.outcome !== "absent")) break;
  }
  return replies;
}

function recordsIn(reply: Reply) {
  return reply.outcome === "records" ? reply.records : [];
}

function chainOf(reply: Reply): readonly string[] {
  return reply.outcome === "failed" ? [] : reply.chain.slice(0, 1);
}

/** Outcomes, the most severe first. */
const worstFirst = ["conflict", "mismatch", "absent", "match"] as const;

function summarize(
  servers: readonly ServerCheck[],
  requested: string,
): Omit<RecordCheck, "record"> {
  const outcome = worstFirst.find((worst) => servers.some((server) => server.outcome === worst));
  const all = boundValues(
    servers.flatMap(({ values }) => values),
    requested,
  );
  return {
    outcome: outcome ?? "unknown",
    observedValues: all.values,
    omittedValues: all.omitted,
    isTruncated: all.isTruncated,
    servers: servers.map((server) => ({
      ...server,
      values: boundValues(server.values, requested).values,
    })),
  };
}

/** What one server returned at a name. `aliases`: the CNAME targets in its answers. */
interface ServerObservation {
  readonly records: readonly AnswerRecord[];
  readonly aliases: readonly string[];
}

type Compared = "match" | "mismatch" | "absent" | "conflict";

function addressesIn(observed: ServerObservation): readonly string[] {
  return observed.records
    .filter(({ type }) => type === "A" || type === "AAAA")
    .map(({ value }) => value);
}

function cnamesIn(observed: ServerObservation): readonly string[] {
  const asked = observed.records.filter(({ type }) => type === "CNAME").map(({ value }) => value);
  return [...new Set([...asked, ...observed.aliases])];
}

/**
 * A and AAAA are one set: another address beside ours takes part of the visitors, and perhaps the
 * CA, elsewhere. A name with a CNAME has no addresses.
 */
function compareAddresses(
  observed: ServerObservation,
  requested: string,
  union: ReadonlySet<string>,
): Compared {
  if (cnamesIn(observed).length > 0) return "mismatch";
  const found = addressesIn(observed);
  if (found.length === 0) return "absent";
  const hasOther = found.some((address) => !union.has(address));
  if (found.includes(requested)) return hasOther ? "conflict" : "match";
  return hasOther ? "mismatch" : "absent";
}

function compareCname(observed: ServerObservation, target: string): Compared {
  const cnames = cnamesIn(observed);
  if (cnames.length > 0) return cnames.every((found) => found === target) ? "match" : "mismatch";
  return addressesIn(observed).length > 0 ? "mismatch" : "absent";
}

/**
 * A record of the requested kind is compared as usual; one of the other kind is right when all of
 * it is the edge's.
 */
function compareEdge(
  observed: ServerObservation,
  { type, value }: DnsRecord,
  { names, addresses }: EdgeValues,
): Compared {
  const cnames = cnamesIn(observed);
  if (cnames.length > 0) return cnames.every((name) => names.has(name)) ? "match" : "mismatch";
  const found = addressesIn(observed);
  if (found.length === 0) return "absent";
  const others = found.filter((address) => !addresses.has(address));
  if (type === "CNAME") return others.length === 0 ? "match" : "mismatch";
  if (others.length === 0) return found.includes(value) ? "match" : "absent";
  return others.length < found.length ? "conflict" : "mismatch";
}

/** A flattened name returns addresses only; all of them must be the target's or the edge's. */
function compareAlias(
  observed: ServerObservation,
  target: string,
  allowed: ReadonlySet<string>,
  isTargetKnown: boolean,
): Compared | "unknown" {
  const cnames = cnamesIn(observed);
  if (cnames.includes(target)) return "match";
  const found = addressesIn(observed);
  if (found.length === 0) return cnames.length > 0 ? "mismatch" : "absent";
  const others = found.filter((address) => !allowed.has(address));
  if (others.length === 0) return "match";
  if (!isTargetKnown) return "unknown";
  return others.length < found.length ? "conflict" : "mismatch";
}

/** Sets of other types may hold more records; ours must be among them. */
function compareSet(observed: ServerObservation, requested: DnsRecord): Compared {
  const found = observed.records.filter(({ type }) => type === requested.type);
  const isThere = found.some(
    ({ value, priority }) => value === requested.value && priority === requested.priority,
  );
  if (isThere) return "match";
  return found.length > 0 || observed.aliases.length > 0 ? "mismatch" : "absent";
}
