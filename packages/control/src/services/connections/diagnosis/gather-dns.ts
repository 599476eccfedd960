import { canonicalIpv6, detectProvider, type Resolver, registrableDomain } from "@mooring/dns";
import type { Config } from "../../../config.ts";
import { type Connection, holdsClaim } from "../../../domain/connection.ts";
import type { DnsFacts, EdgeFacts, NameFacts } from "../../../domain/diagnosis/facts.ts";
import { orElse, withBudget } from "../../domains/budget.ts";
import { recordConflicts } from "../../domains/conflicts.ts";
import { type DomainFacts, gatherDomainFacts } from "../../domains/facts.ts";
import { type DomainCheckRuntime, observeName } from "../../domains/observe-name.ts";
import { lookForRecords, proveOwnership } from "../observe.ts";
import {
  askCaches,
  findCircles,
  findStrayProofs,
  findStrayRecords,
  lookAtKeys,
  lookAtServers,
  noKeys,
  servedZone,
} from "./dns-queries.ts";

/** A person waits; what is not known by then is told as such. */
const BUDGET_MS = 8_000;
/** The look at the domain ends by itself a little earlier, with what it has. */
const HAND_OVER_MS = 250;

export interface GatheredFacts {
  readonly dns: DnsFacts;
  readonly edge: EdgeFacts;
}

/** Everything that DNS says about a connection, as far as the time allows. Writes nothing. */
export async function gatherDns(
  runtime: DomainCheckRuntime,
  connection: Connection,
  signal: AbortSignal,
  budgetMs: number = BUDGET_MS,
): Promise<GatheredFacts> {
  const gathered = await withBudget(budgetMs, signal, async (inner) => {
    const resolver = runtime.dns.resolverFor(connection.environment, connection.hostname);
    const deadline = createDeadline(inner);
    const work = { runtime, connection, resolver, signal: inner, deadline };
    return connection.state === "archived"
      ? gatherArchived(work)
      : gatherAll(work, Math.max(1, budgetMs - HAND_OVER_MS));
  });
  signal.throwIfAborted();
  return gathered;
}

interface Work {
  readonly runtime: DomainCheckRuntime;
  readonly connection: Connection;
  readonly resolver: Resolver;
  readonly signal: AbortSignal;
  readonly deadline: Deadline;
}

const nothing: DnsFacts = {
  zone: null,
  servers: [],
  dnssec: { status: "unknown", ...noKeys },
  proof: null,
  strayProofs: [],
  records: null,
  strayRecords: [],
  circles: [],
  names: [],
  conflicts: [],
  caches: [],
  caa: null,
  twin: null,
  unfinished: [],
};

/** Of an archived connection only what it left in DNS is of interest. */
async function gatherArchived(work: Work): Promise<GatheredFacts> {
  const { runtime, connection, resolver, signal, deadline } = work;
  const [zone, records] = await Promise.all([
    deadline.within(
      "the domain's nameservers",
      resolver.findZone(connection.hostname, signal),
      null,
    ),
    deadline.within("the records", lookForRecords(runtime, connection, signal), null),
  ]);
  const dns = { ...nothing, zone, records, unfinished: deadline.missed() };
  return { dns, edge: edgeOf(runtime.config, new Set()) };
}

async function gatherAll(work: Work, lookMs: number): Promise<GatheredFacts> {
  const { connection, runtime } = work;
  const [zone, ownership, records, twin, domain] = await Promise.all([
    gatherZone(work),
    gatherOwnership(work),
    gatherRecords(work),
    work.deadline.within("the name's twin", lookAtTwin(work), null),
    lookAtDomain(work, lookMs),
  ]);
  const { keys, ...delegation } = zone;
  const dns: DnsFacts = {
    ...delegation,
    ...ownership,
    ...records,
    twin,
    dnssec: { status: domain.dnssec, ...keys },
    names: domain.names,
    conflicts: conflictsOf(connection, domain),
    caa: domain.caa,
    unfinished: [...work.deadline.missed(), ...gapsOf(domain)],
  };
  return { dns, edge: edgeOf(runtime.config, domain.edgeAddresses) };
}

async function gatherZone({ connection, resolver, signal, deadline }: Work) {
  const found = resolver.findZone(connection.hostname, signal);
  const served = found.then(servedZone);
  const [zone, servers, keys] = await Promise.all([
    deadline.within("the domain's nameservers", found, null),
    deadline.within(
      "each nameserver",
      served.then((at) => lookAtServers(resolver, at, signal)),
      [],
    ),
    deadline.within(
      "the DNSSEC keys",
      served.then((at) => lookAtKeys(resolver, at, signal)),
      noKeys,
    ),
  ]);
  return { zone, servers, keys };
}

async function gatherOwnership(work: Work): Promise<Pick<DnsFacts, "proof" | "strayProofs">> {
  const { runtime, connection, resolver, signal, deadline } = work;
  if (holdsClaim(connection.state)) return { proof: null, strayProofs: [] };
  const served = resolver.findZone(connection.hostname, signal).then(servedZone);
  const [proof, strayProofs] = await Promise.all([
    deadline.within("the ownership record", proveOwnership(runtime, connection, signal), null),
    deadline.within(
      "misplaced ownership records",
      served.then((at) => findStrayProofs(resolver, connection, at, signal)),
      [],
    ),
  ]);
  return { proof, strayProofs };
}

async function gatherRecords(
  work: Work,
): Promise<Pick<DnsFacts, "records" | "strayRecords" | "circles" | "caches">> {
  const { runtime, connection, resolver, signal, deadline } = work;
  const records = await deadline.within(
    "the records",
    lookForRecords(runtime, connection, signal),
    null,
  );
  const served = resolver.findZone(connection.hostname, signal).then(servedZone);
  const [strayRecords, circles, caches] = await Promise.all([
    deadline.within(
      "misplaced records",
      served.then((at) => findStrayRecords(resolver, records, at, signal)),
      [],
    ),
    deadline.within("aliases", findCircles(resolver, records, signal), []),
    deadline.within("what resolvers remember", askCaches(resolver, records, signal), []),
  ]);
  return { records, strayRecords, circles, caches };
}

/** The apex's www, or the apex of a www; null for any other name, and until the name is held. */
async function lookAtTwin({
  runtime,
  connection,
  resolver,
  signal,
}: Work): Promise<NameFacts | null> {
  if (!holdsClaim(connection.state)) return null;
  const { hostname } = connection;
  const apex = registrableDomain(hostname);
  if (hostname === apex) return observeName(runtime, resolver, `www.${hostname}`, signal);
  if (hostname === `www.${apex}`) return observeName(runtime, resolver, hostname.slice(4), signal);
  return null;
}

function lookAtDomain(work: Work, budgetMs: number): Promise<DomainFacts> {
  const { runtime, connection, signal } = work;
  return gatherDomainFacts(runtime, {
    environment: connection.environment,
    hostname: connection.hostname,
    wanted: connection.desiredRecords,
    domainConnect: null,
    budgetMs,
    signal,
  });
}

function conflictsOf(connection: Connection, { names, edgeAddresses, zone }: DomainFacts) {
  const hosts = zone?.outcome === "found" ? zone.servers.map(({ host }) => host) : [];
  const flattening = detectProvider(hosts).provider?.manifest?.apexFlattening ?? "none";
  const context = { edgeAddresses, canFlatten: flattening !== "none" };
  return recordConflicts(connection.desiredRecords, names, context);
}

/** Where a server failed to answer, the rules about servers say so. */
function gapsOf({ caa, zone }: DomainFacts): readonly string[] {
  return caa === null && zone?.outcome !== "unregistered" ? ["CAA records"] : [];
}

function edgeOf(
  { EDGE_CNAME, EDGE_IPV4, EDGE_IPV6 }: Config,
  resolved: ReadonlySet<string>,
): EdgeFacts {
  const ipv6 = EDGE_IPV6.map((address) => canonicalIpv6(address) ?? address);
  const configured = [...EDGE_IPV4, ...ipv6];
  return { cname: EDGE_CNAME, configured, addresses: new Set([...configured, ...resolved]) };
}

/** Several looks that share one end, and the list of those that did not reach it. */
export interface Deadline {
  /** The result, or the fallback once the time is over. */
  within<T>(what: string, asked: Promise<T>, fallback: T): Promise<T>;
  missed(): readonly string[];
}

export function createDeadline(signal: AbortSignal): Deadline {
  const missed: string[] = [];
  return {
    async within(what, asked, fallback) {
      const seen = asked.then((value) => ({ value }));
      const result = await orElse(signal, seen, null);
      if (result !== null) return result.value;
      missed.push(what);
      return fallback;
    },
    missed: () => missed,
  };
}
