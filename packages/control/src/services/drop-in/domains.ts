import { orElse } from "@mooring/concurrency";
import { parseHostname } from "@mooring/dns";
import {
  type ListedDomain,
  pageDomains,
  selectDomain,
} from "../../db/queries/applications/drop-in-domains.ts";
import type { Connection, DesiredRecord } from "../../domain/connections/connection.ts";
import { withBudget } from "../budget.ts";
import { findConflicts } from "../connections/diagnosis/gather-dns.ts";
import type { ServiceContext } from "../context.ts";
import { gatherDomainFacts } from "../domains/facts.ts";
import { findKnownZone } from "../domains/observe-name.ts";
import type { TimedPageQuery } from "./hostnames.ts";

/** Answers are awaited by a page of the caller's product. */
const dnsBudgetMs = 2_700;

export interface ObservedDns {
  /** Of the zone that holds the name; empty when it was not found in time. */
  readonly nameservers: readonly string[];
  /** As a check of the domain reports them; empty for a connection whose records are right. */
  readonly conflicts: readonly DesiredRecord[];
}

/** What DNS says of a name and of the records in its way. A failure of DNS is no error. */
export async function observeDns(
  ctx: ServiceContext,
  spelling: string,
  connection: Connection | null,
): Promise<ObservedDns> {
  const parsed = parseHostname(spelling, { allowsWildcard: true });
  if (!parsed.ok) return { nameservers: [], conflicts: [] };
  const isObstructed =
    connection !== null && connection.state !== "live" && connection.state !== "issuing_cert";
  if (isObstructed) return observeObstacles(ctx, connection);
  return { nameservers: await findNameservers(ctx, parsed.hostname), conflicts: [] };
}

async function observeObstacles(
  { runtime, signal }: ServiceContext,
  connection: Connection,
): Promise<ObservedDns> {
  const { environment, hostname, desiredRecords: desired } = connection;
  const facts = await gatherDomainFacts(runtime, {
    environment,
    hostname,
    desired,
    domainConnect: null,
    budgetMs: dnsBudgetMs,
    signal,
  });
  const { zone } = facts;
  return {
    nameservers: zone?.outcome === "found" ? zone.servers.map(({ host }) => host) : [],
    conflicts: findConflicts(runtime.config, connection, facts),
  };
}

async function findNameservers(
  { runtime, actor, signal }: ServiceContext,
  hostname: string,
): Promise<readonly string[]> {
  const resolver = runtime.dns.resolverFor(actor.environment, hostname);
  const found = await withBudget(dnsBudgetMs, signal, (inner) =>
    orElse(inner, findKnownZone(runtime, resolver, hostname, inner), null),
  );
  return found?.outcome === "found" ? found.servers.map(({ host }) => host) : [];
}

export interface DomainPage {
  readonly items: readonly ListedDomain[];
  /** The times to give as `until` and `since` for the pages before and after this one. */
  readonly older: Date | null;
  readonly newer: Date | null;
}

/** The registered domains whose names the tenant has connected, newest first. */
export function listOwnDomains(ctx: ServiceContext, query: TimedPageQuery): Promise<DomainPage> {
  return ctx.read((tx) => pageDomains(tx, ctx.actor, query));
}

/** One of them; null when the tenant has no name at or below it. */
export function findOwnDomain(ctx: ServiceContext, spelling: string): Promise<ListedDomain | null> {
  const parsed = parseHostname(spelling);
  // Only of a valid name the index is asked: others may hold the signs of a pattern.
  if (!parsed.ok) return Promise.resolve(null);
  return ctx.read((tx) => selectDomain(tx, ctx.actor, parsed.hostname));
}
