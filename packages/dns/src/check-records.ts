import {
  compareAddresses,
  compareAlias,
  compareCname,
  compareSet,
  type Seen,
} from "./compare-records.ts";
import { registrableDomain } from "./name.ts";
import type { DnsRecord } from "./record.ts";
import { rememberAnswers } from "./remember-answers.ts";
import type { FailureReason, NameServer, QueryType, Reply, Resolver } from "./resolver.ts";

export type RecordOutcome = "match" | "mismatch" | "absent" | "conflict" | "unknown";

export interface ServerCheck {
  readonly server: string;
  readonly outcome: RecordOutcome;
  readonly values: readonly string[];
  readonly reason?: FailureReason;
}

export interface RecordCheck {
  readonly record: DnsRecord;
  /** What every reachable server says together; `unknown` when none could be asked. */
  readonly outcome: RecordOutcome;
  readonly observedValues: readonly string[];
  readonly servers: readonly ServerCheck[];
}

export interface RecordsCheck {
  readonly records: readonly RecordCheck[];
  /**
   * When every cache can know the wanted records, were they in place now: the latest expiry of what
   * was seen instead. `now` when all match; null when something could not be seen.
   */
  readonly visibleEverywhereBy: Date | null;
}

export interface CheckOptions {
  /** The edge's own addresses: where a flattened name may point besides its target's. */
  readonly edgeAddresses: readonly string[];
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** Looks for the wanted records at every authoritative server of their zones. */
export async function checkRecords(
  resolver: Resolver,
  wanted: readonly DnsRecord[],
  options: CheckOptions,
): Promise<RecordsCheck> {
  const once = rememberAnswers(resolver);
  const checked = await Promise.all(
    wanted.map((record) => checkRecord(once, record, wanted, options)),
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

type Compare = (seen: Seen) => RecordOutcome;

async function checkRecord(
  resolver: Resolver,
  record: DnsRecord,
  wanted: readonly DnsRecord[],
  options: CheckOptions,
): Promise<{ check: RecordCheck; cacheSeconds: number }> {
  const found = await resolver.findZone(record.name, options.signal);
  if (found.outcome !== "found") {
    const outcome = found.outcome === "unregistered" ? "absent" : "unknown";
    return { check: { record, outcome, observedValues: [], servers: [] }, cacheSeconds: 0 };
  }
  const isApex = record.name === found.zone || record.name === registrableDomain(record.name);
  const isFlattened = record.type === "ALIAS" || (record.type === "CNAME" && isApex);
  const stages = stagesFor(record, isFlattened);
  const compare = await comparison(resolver, record, wanted, isFlattened, options);
  const servers = await Promise.all(
    found.servers.map((server) =>
      checkAt(resolver, server, { record, stages, compare, signal: options.signal }),
    ),
  );
  const late = servers.filter(({ check }) => check.outcome !== "match");
  const check = { record, ...summarize(servers.map((server) => server.check)) };
  return { check, cacheSeconds: Math.max(0, ...late.map(({ cacheSeconds }) => cacheSeconds)) };
}

/** What to ask, in stages: the next one only where the one before found nothing. */
function stagesFor(record: DnsRecord, isFlattened: boolean): readonly (readonly QueryType[])[] {
  if (record.type === "CNAME" && !isFlattened) return [["CNAME"], ["A", "AAAA"]];
  if (record.type === "CNAME" || record.type === "ALIAS") return [["A", "AAAA"]];
  if (record.type === "A" || record.type === "AAAA") return [["A", "AAAA"]];
  return [[record.type]];
}

async function comparison(
  resolver: Resolver,
  record: DnsRecord,
  wanted: readonly DnsRecord[],
  isFlattened: boolean,
  options: CheckOptions,
): Promise<Compare> {
  if (isFlattened) {
    const target = await addressesOf(resolver, record.value, options.signal);
    const allowed = new Set([...(target ?? []), ...options.edgeAddresses]);
    return (seen) => compareAlias(seen, record.value, allowed, target !== null);
  }
  if (record.type === "CNAME") return (seen) => compareCname(seen, record.value);
  if (record.type === "A" || record.type === "AAAA") {
    const union = wanted
      .filter(({ name, type }) => name === record.name && (type === "A" || type === "AAAA"))
      .map(({ value }) => value);
    return (seen) => compareAddresses(seen, record.value, new Set(union));
  }
  return (seen) => compareSet(seen, record);
}

/** All IPv4 and IPv6 addresses of a name; null when a lookup failed. */
export async function addressesOf(
  resolver: Resolver,
  name: string,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const replies = await Promise.all([
    resolver.resolve(name, "A", signal),
    resolver.resolve(name, "AAAA", signal),
  ]);
  if (replies.some((reply) => reply.outcome === "failed")) return null;
  return replies.flatMap(recordsOf).map(({ value }) => value);
}

interface Look {
  readonly record: DnsRecord;
  readonly stages: readonly (readonly QueryType[])[];
  readonly compare: Compare;
  readonly signal: AbortSignal;
}

async function checkAt(
  resolver: Resolver,
  server: NameServer,
  look: Look,
): Promise<{ check: ServerCheck; cacheSeconds: number }> {
  const replies = await askInStages(resolver, server, look);
  const failed = replies.find((reply) => reply.outcome === "failed");
  if (failed?.outcome === "failed") {
    const check = { server: server.host, outcome: "unknown", values: [] } as const;
    return { check: { ...check, reason: failed.reason }, cacheSeconds: 0 };
  }
  const seen = { records: replies.flatMap(recordsOf), aliases: replies.flatMap(chainOf) };
  const values = [...new Set([...seen.aliases, ...seen.records.map(({ value }) => value)])];
  const check = { server: server.host, outcome: look.compare(seen), values };
  return { check, cacheSeconds: Math.max(0, ...replies.map(cacheSecondsOf)) };
}

async function askInStages(
  resolver: Resolver,
  server: NameServer,
  { record, stages, signal }: Look,
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

function recordsOf(reply: Reply) {
  return reply.outcome === "records" ? reply.records : [];
}

function chainOf(reply: Reply): readonly string[] {
  return reply.outcome === "failed" ? [] : reply.chain.slice(0, 1);
}

function cacheSecondsOf(reply: Reply): number {
  if (reply.outcome === "failed") return 0;
  if (reply.outcome === "absent") return reply.negativeTtlSeconds ?? 0;
  return Math.max(0, ...reply.records.map(({ ttl }) => ttl));
}

/** The worst news of the servers that answered, in the order in which they hinder. */
const WORST_FIRST = ["conflict", "mismatch", "absent", "match"] as const;

function summarize(servers: readonly ServerCheck[]): Omit<RecordCheck, "record"> {
  const outcome = WORST_FIRST.find((worst) => servers.some((server) => server.outcome === worst));
  const observedValues = [...new Set(servers.flatMap(({ values }) => values))];
  return { outcome: outcome ?? "unknown", observedValues, servers };
}
