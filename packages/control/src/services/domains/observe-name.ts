import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import {
  type AnswerRecord,
  type DnsRecord,
  type FoundZone,
  isRecordType,
  type NameServer,
  type QueryType,
  type Reply,
  type Resolver,
} from "@mooring/dns";
import { isSandboxName } from "../../domain/sandbox/sandbox.ts";
import type { Runtime } from "../runtime.ts";

/** What a check of a domain needs of the process. */
export type DomainCheckRuntime = Pick<
  Runtime,
  "config" | "clock" | "egress" | "dns" | "domainFacts"
> &
  Partial<Pick<Runtime, "domainConnectClients" | "transaction">>;

/** The records at one name, as the servers of its zone answer. */
export interface NameObservation {
  readonly name: string;
  /** The zone that holds the name; null when it was not found or does not exist. */
  readonly zone: string | null;
  /** Records owned by the name itself. */
  readonly records: readonly DnsRecord[];
  /** HTTPS records of the name itself, which browsers read beside its addresses. */
  readonly bindings: readonly AnswerRecord[];
  /** A wildcard answers with these records; the name itself has none. */
  readonly fromWildcard: boolean;
  /** Every question was answered. */
  readonly complete: boolean;
}

const otherTypes: readonly QueryType[] = ["AAAA", "CNAME", "TXT", "MX", "NS", "CAA", "HTTPS"];

export function unobserved(name: string): NameObservation {
  return { name, zone: null, records: [], bindings: [], fromWildcard: false, complete: false };
}

/**
 * Reads all records at a name from the servers of its zone. The first reply often saves the other
 * queries: a name that does not exist has no other types (RFC 8020), nor does a CNAME's owner.
 */
export async function observeName(
  runtime: DomainCheckRuntime,
  resolver: Resolver,
  name: string,
  signal: AbortSignal,
): Promise<NameObservation> {
  const found = await findKnownZone(runtime, resolver, name, signal);
  if (found.outcome === "failed") return unobserved(name);
  if (found.outcome === "unregistered") return { ...unobserved(name), complete: true };
  const { zone, servers } = found;
  const ask = (owner: string, type: QueryType) =>
    askZone(resolver, servers, { name: owner, type }, signal);
  const first = await ask(name, "A");
  const rest = furtherTypes(first);
  const replies = [first, ...(await Promise.all(rest.map((type) => ask(name, type))))];
  const asked: readonly QueryType[] = ["A", ...rest];
  const records = replies.flatMap((reply, index) => ownedBy(name, asked[index], reply));
  const bindings = replies
    .flatMap((reply) => (reply.outcome === "records" ? reply.records : []))
    .filter((record) => record.type === "HTTPS" && record.name === name);
  const complete = replies.every(({ outcome }) => outcome !== "failed");
  const fromWildcard = name !== zone && (await isFromWildcard(ask, name, records));
  return { name, zone, records, bindings, fromWildcard, complete };
}

function furtherTypes(reply: Reply): readonly QueryType[] {
  if (reply.outcome === "failed") return otherTypes;
  if (reply.chain.length > 0) return ["CNAME"];
  return reply.outcome === "absent" && reply.rcode === "NXDOMAIN" ? [] : otherTypes;
}

function ownedBy(name: string, type: QueryType | undefined, reply: Reply): DnsRecord[] {
  if (reply.outcome !== "records") return [];
  return reply.records
    .filter((record) => record.name === name && record.type === type)
    .flatMap(asRecord);
}

function asRecord(record: AnswerRecord): DnsRecord[] {
  const { type } = record;
  return isRecordType(type) ? [{ ...record, type }] : [];
}

/**
 * RFC 4592 §3.3.1: a wildcard answers for names that do not exist, at any depth. Records that come
 * back for a random sibling and for a random child of this name belong to the wildcard; a name that
 * exists would have an empty child.
 */
async function isFromWildcard(
  ask: (owner: string, type: QueryType) => Promise<Reply>,
  name: string,
  records: readonly DnsRecord[],
): Promise<boolean> {
  if (records.length === 0) return false;
  const label = `probe-${randomBytes(8).toString("hex")}`;
  const probes = [`${label}${name.slice(name.indexOf("."))}`, `${label}.${name}`];
  const present = [...new Set(records.map(({ type }) => type))].filter((type) => type !== "ALIAS");
  const answers = await Promise.all(
    probes.flatMap((owner) =>
      present.map(async (type) => {
        const answered = ownedBy(owner, type, await ask(owner, type));
        return (
          joinValues(answered) === joinValues(records.filter((record) => record.type === type))
        );
      }),
    ),
  );
  return answers.every((isSame) => isSame);
}

function joinValues(records: readonly DnsRecord[]): string {
  return records
    .map(({ value, priority }) => `${priority ?? ""} ${value}`)
    .sort()
    .join("\n");
}

/** Covers the calls of one widget session, and is short enough for a person who moves the zone. */
const zoneLifetimeMs = 10_000;

/**
 * `findZone` with a cache of a few seconds. For detection only: a proof or a check of records does
 * not use it. Sandbox zones are not cached, because testers change them and expect to see it.
 */
export async function findKnownZone(
  runtime: DomainCheckRuntime,
  resolver: Resolver,
  name: string,
  signal: AbortSignal,
): Promise<FoundZone> {
  if (isSandboxName(name)) return resolver.findZone(name, signal);
  const { zones } = runtime.domainFacts;
  const known = zones.get(name);
  if (known !== undefined) return known;
  const found = await resolver.findZone(name, signal);
  if (found.outcome === "found") zones.set(name, found, zoneLifetimeMs);
  return found;
}

/** Who serves a zone whose DNSSEC is broken is known all the same. For detection only. */
export async function evenIfBogus(
  resolver: Resolver,
  name: string,
  found: FoundZone | null,
  signal: AbortSignal,
): Promise<FoundZone | null> {
  if (found?.outcome !== "failed" || found.reason !== "bogus") return found;
  const unchecked = await resolver.findUncheckedZone?.(name, signal);
  return unchecked?.outcome === "found" ? unchecked : found;
}

const maxServers = 3;
/** After this the next server is asked as well: a healthy one answers much faster. */
const nextServerAfterMs = 400;

const noAnswer = new Error("the server gave no answer");

/**
 * The first answer of a zone's own servers: asks one, and the next when that one fails or is slow,
 * three at most. For checks that a person waits for; it does not compare the servers.
 */
export async function askZone(
  resolver: Resolver,
  servers: readonly NameServer[],
  question: { readonly name: string; readonly type: QueryType },
  signal: AbortSignal,
): Promise<Reply> {
  const done = new AbortController();
  const inner = AbortSignal.any([signal, done.signal]);
  const attempts: Promise<Reply>[] = [];
  const reachable = servers.filter(({ addresses }) => addresses.length > 0);
  for (const server of reachable.slice(0, maxServers)) {
    const start = startAfter(attempts, inner);
    attempts.push(start.then(() => askOne(resolver, server, question, inner)));
  }
  try {
    return await Promise.any(attempts);
  } catch (error) {
    signal.throwIfAborted();
    const causes: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    const fault = causes.find((cause) => cause !== noAnswer);
    if (fault !== undefined) throw fault;
    return { outcome: "failed", reason: "timeout" };
  } finally {
    done.abort();
  }
}

/** Resolves when the previous attempt has failed, or when this server's start time has come. */
function startAfter(attempts: readonly Promise<Reply>[], signal: AbortSignal): Promise<void> {
  const before = attempts.at(-1);
  if (before === undefined) return Promise.resolve();
  const failed = before.then(
    () => new Promise<void>(() => undefined),
    () => undefined,
  );
  return Promise.race([failed, wait(attempts.length * nextServerAfterMs, undefined, { signal })]);
}

async function askOne(
  resolver: Resolver,
  server: NameServer,
  { name, type }: { readonly name: string; readonly type: QueryType },
  signal: AbortSignal,
): Promise<Reply> {
  const reply = await resolver.askServer(server, name, type, { signal, transport: "udp" });
  if (reply.outcome === "failed") throw noAnswer;
  return reply;
}
