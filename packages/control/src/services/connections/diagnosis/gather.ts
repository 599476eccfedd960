import {
  checkRecords,
  detectProvider,
  type FoundZone,
  type RecordsCheck,
  type Resolver,
  rememberAnswers,
  type TxtProof,
} from "@mooring/dns";
import { type Connection, holdsClaim } from "../../../domain/connection.ts";
import { toDnsRecord } from "../../../domain/desired-records.ts";
import type { DnsFacts, EdgeFacts, NameFacts } from "../../../domain/diagnosis/facts.ts";
import { orElse, withBudget } from "../../domains/budget.ts";
import { recordConflicts } from "../../domains/conflicts.ts";
import { type DomainFacts, look } from "../../domains/look.ts";
import { lookAtName } from "../../domains/look-at-name.ts";
import type { LookRuntime } from "../../domains/recent-facts.ts";
import { edgeFacts } from "./edge.ts";
import { proveNow, strayProofs } from "./ownership.ts";
import { rememberedBy, strayRecords } from "./records.ts";
import { dnssecFacts, serverFacts } from "./zone.ts";

/** A person waits; what is not known by then is told as such. */
const BUDGET_MS = 8_000;

export interface GatheredFacts {
  readonly dns: DnsFacts;
  readonly edge: EdgeFacts;
}

/** Everything that DNS says about a connection, as far as the time allows. Writes nothing. */
export async function gatherDns(
  runtime: LookRuntime,
  connection: Connection,
  signal: AbortSignal,
  budgetMs: number = BUDGET_MS,
): Promise<GatheredFacts> {
  const network = runtime.dns.resolverFor(connection.environment, connection.hostname);
  const gathered = await withBudget(budgetMs, signal, (inner) =>
    gather({ runtime, connection, resolver: rememberAnswers(network), budgetMs, signal: inner }),
  );
  signal.throwIfAborted();
  return gathered;
}

interface Work {
  readonly runtime: LookRuntime;
  readonly connection: Connection;
  readonly resolver: Resolver;
  readonly budgetMs: number;
  readonly signal: AbortSignal;
}

async function gather(work: Work): Promise<GatheredFacts> {
  const { runtime, connection, resolver, signal } = work;
  const unfinished: string[] = [];
  /** The result, or the fallback with a note of what is missing. */
  const inTime = async <T, F>(what: string, asked: Promise<T>, fallback: F): Promise<T | F> => {
    const late = Symbol(what);
    const result = await orElse<T | typeof late>(signal, asked, late);
    if (result !== late) return result as T;
    unfinished.push(what);
    return fallback;
  };
  const isArchived = connection.state === "archived";
  const isOpen = !isArchived && !holdsClaim(connection.state);
  const zone = inTime("the domain's nameservers", resolver.findZone(connection.hostname, signal), null);
  const found = zone.then(servedBy);
  const records = inTime("the records", checkWanted(work), null);
  const proof = isOpen ? proveNow(work) : Promise.resolve(null);
  const stray = isOpen ? found.then((at) => strayProofs(work, at)) : Promise.resolve([]);
  const facts = {
    zone: await zone,
    servers: await inTime("each nameserver", found.then((at) => serverFacts(work, at)), []),
    dnssec: await inTime("DNSSEC", found.then((at) => dnssecFacts(work, at)), unknownDnssec),
    proof: await inTime<TxtProof | null, null>("the ownership record", proof, null),
    strayProofs: await inTime("misplaced ownership records", stray, []),
    records: await records,
  };
  void runtime;
  return { dns: facts as never, edge: edgeFacts as never };
}
