import { orElse } from "@mooring/concurrency";
import { detectProvider, type Resolver, registrableDomain } from "@mooring/dns";
import type { Config } from "../../../config/config.ts";
import { isDecisive } from "../../../domain/certificates/validation.ts";
import {
  type Connection,
  type DesiredRecord,
  holdsClaim,
} from "../../../domain/connections/connection.ts";
import type { DnsFacts, EdgeFacts, NameFacts } from "../../../domain/diagnosis/facts.ts";
import { acceptedNames } from "../../../domain/ownership/target.ts";
import { withBudget } from "../../budget.ts";
import { recordConflicts } from "../../domains/conflicts.ts";
import { type DomainFacts, gatherDomainFacts } from "../../domains/facts.ts";
import { type DomainCheckRuntime, observeName } from "../../domains/observe-name.ts";
import { checkAgainst, proveOwnership } from "../checks/observe.ts";
import {
  askCaches,
  findAliasLoops,
  findOtherProofs,
  findStrayProofs,
  findStrayRecords,
  noKeys,
  queryKeys,
  queryServers,
  servedZone,
} from "./dns-queries.ts";

/** A person waits; what is not known by then is reported as unfinished. */
const defaultBudgetMs = 8_000;
/** The domain facts get a shorter budget, so that they return what they have before the end. */
const domainMarginMs = 250;

export interface GatheredFacts {
  readonly dns: DnsFacts;
  readonly edge: EdgeFacts;
}

/** Everything that DNS says about a connection, within the budget. Writes nothing. */
export async function gatherDns(
  runtime: DomainCheckRuntime,
  connection: Connection,
  signal: AbortSignal,
  budgetMs: number = defaultBudgetMs,
): Promise<GatheredFacts> {
  const gathered = await withBudget(budgetMs, signal, async (inner) => {
    const resolver = runtime.dns.resolverFor(connection.environment, connection.hostname);
    const deadline = createDeadline(inner);
    const work = { runtime, connection, resolver, signal: inner, deadline };
    return connection.state === "archived"
      ? gatherArchived(work)
      : gatherAll(work, Math.max(1, budgetMs - domainMarginMs));
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

export const nothingGathered: DnsFacts = {
  zone: null,
  servers: [],
  dnssec: { status: "unknown", fault: null, ...noKeys },
  proof: null,
  otherProofs: [],
  strayProofs: [],
  records: null,
  pending: null,
  strayRecords: [],
  aliasLoops: [],
  names: [],
  conflicts: [],
  caches: [],
  caa: null,
  twin: null,
  unfinished: [],
};

/** For an archived connection only the records that it left in DNS matter. */
async function gatherArchived(work: Work): Promise<GatheredFacts> {
  const { runtime, connection, resolver, signal, deadline } = work;
  const [zone, records] = await Promise.all([
    deadline.within(
      "the domain's nameservers",
      resolver.findZone(connection.hostname, signal),
      null,
    ),
    deadline.within(
      "the records",
      checkAgainst(runtime, connection, connection.desiredRecords, signal),
      null,
    ),
  ]);
  const dns = { ...nothingGathered, zone, records, unfinished: deadline.missed() };
  return { dns, edge: edgeFacts(runtime.config, new Set()) };
}

async function gatherAll(work: Work, domainBudgetMs: number): Promise<GatheredFacts> {
  const { connection, runtime } = work;
  const [zone, ownership, records, twin, domain] = await Promise.all([
    gatherZone(work),
    gatherOwnership(work),
    gatherRecords(work),
    work.deadline.within("the name's twin", observeTwin(work), null),
    domainFactsFor(work, domainBudgetMs),
  ]);
  const { keys, ...delegation } = zone;
  const dns: DnsFacts = {
    ...delegation,
    ...ownership,
    ...records,
    twin,
    dnssec: { ...domain.dnssec, ...keys },
    names: domain.names,
    conflicts: findConflicts(runtime.config, connection, domain),
    caa: domain.caa,
    unfinished: [...work.deadline.missed(), ...unansweredQuestions(domain)],
  };
  return { dns, edge: edgeFacts(runtime.config, domain.edgeAddresses) };
}

async function gatherZone({ connection, resolver, signal, deadline }: Work) {
  const found = resolver.findZone(connection.hostname, signal);
  const served = found.then(servedZone);
  const [zone, servers, keys] = await Promise.all([
    deadline.within("the domain's nameservers", found, null),
    deadline.within(
      "each nameserver",
      served.then((at) => queryServers(resolver, at, signal)),
      [],
    ),
    deadline.within(
      "the DNSSEC keys",
      served.then((at) => queryKeys(resolver, at, signal)),
      noKeys,
    ),
  ]);
  return { zone, servers, keys };
}

async function gatherOwnership(
  work: Work,
): Promise<Pick<DnsFacts, "proof" | "otherProofs" | "strayProofs">> {
  const { runtime, connection, resolver, signal, deadline } = work;
  const isSettled = holdsClaim(connection.state) && connection.contest === null;
  if (isSettled) return { proof: null, otherProofs: [], strayProofs: [] };
  const served = resolver.findZone(connection.hostname, signal).then(servedZone);
  const [proof, otherProofs, strayProofs] = await Promise.all([
    deadline.within("the ownership record", proveOwnership(runtime, connection, signal), null),
    deadline.within(
      "ownership records of others",
      served.then((at) => findOtherProofs(resolver, runtime.config, connection, at, signal)),
      [],
    ),
    deadline.within(
      "misplaced ownership records",
      served.then((at) => findStrayProofs(resolver, connection, at, signal)),
      [],
    ),
  ]);
  return { proof, otherProofs, strayProofs };
}

async function gatherRecords(
  work: Work,
): Promise<Pick<DnsFacts, "records" | "pending" | "strayRecords" | "aliasLoops" | "caches">> {
  const { runtime, connection, resolver, signal, deadline } = work;
  const { desiredRecords, pendingRecords } = connection;
  const check = (desired: readonly DesiredRecord[]) =>
    deadline.within("the records", checkAgainst(runtime, connection, desired, signal), null);
  const [records, pending] = await Promise.all([
    check(desiredRecords),
    pendingRecords === null ? null : check(pendingRecords),
  ]);
  const served = resolver.findZone(connection.hostname, signal).then(servedZone);
  const [strayRecords, aliasLoops, caches] = await Promise.all([
    deadline.within(
      "misplaced records",
      served.then((at) => findStrayRecords(resolver, records, at, signal)),
      [],
    ),
    deadline.within("aliases", findAliasLoops(resolver, records, signal), []),
    deadline.within("what resolvers remember", askCaches(resolver, records, signal), []),
  ]);
  return { records, pending, strayRecords, aliasLoops, caches };
}

/** The apex's www, or the apex of a www; null for any other name, and until the name is held. */
async function observeTwin({
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

function domainFactsFor(work: Work, budgetMs: number): Promise<DomainFacts> {
  const { runtime, connection, signal } = work;
  return gatherDomainFacts(runtime, {
    environment: connection.environment,
    hostname: connection.hostname,
    desired: connection.desiredRecords,
    domainConnect: null,
    budgetMs,
    signal,
  });
}

/** The present records that keep those from taking effect which decide where the name leads. */
export function findConflicts(
  { edgeCname }: Config,
  connection: Connection,
  { names, edgeAddresses, zone }: DomainFacts,
) {
  const hosts = zone?.outcome === "found" ? zone.servers.map(({ host }) => host) : [];
  const flattening = detectProvider(hosts).provider?.manifest?.apexFlattening ?? "none";
  const context = {
    edgeAddresses,
    edgeNames: new Set(acceptedNames(edgeCname, connection)),
    canFlatten: flattening !== "none",
  };
  const decisive = connection.desiredRecords.filter(({ host, type }) =>
    isDecisive(connection, { name: host, type }),
  );
  return recordConflicts(decisive, names, context);
}

/** CAA that was not answered in time; failing servers are findings of the delegation rules. */
function unansweredQuestions({ caa, zone }: DomainFacts): readonly string[] {
  return caa === null && zone?.outcome !== "unregistered" ? ["CAA records"] : [];
}

export function edgeFacts(
  { edgeCname, edgeIpv4, edgeIpv6, validationZone }: Config,
  resolved: ReadonlySet<string>,
): EdgeFacts {
  const configured = [...edgeIpv4, ...edgeIpv6];
  const addresses = new Set([...configured, ...resolved]);
  return { cname: edgeCname, validationZone, configured, addresses };
}

/** Several questions that share one time limit, and the names of those that missed it. */
interface Deadline {
  /** The result, or the fallback when the time has passed. */
  within<T>(what: string, asked: Promise<T>, fallback: T): Promise<T>;
  missed(): readonly string[];
}

function createDeadline(signal: AbortSignal): Deadline {
  const missed: string[] = [];
  return {
    async within(what, asked, fallback) {
      const boxed = asked.then((value) => ({ value }));
      const result = await orElse(signal, boxed, null);
      if (result !== null) return result.value;
      missed.push(what);
      return fallback;
    },
    missed: () => missed,
  };
}
