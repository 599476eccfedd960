import { getServers } from "node:dns";
import { askFor, createNetworkResolver, type Resolver, withWildcardProbe } from "@mooring/dns";
import { type Guard, permitsAddress } from "@mooring/egress";
import type { Clock } from "@mooring/postgres";
import type { Config } from "../config/config.ts";
import { recursiveResolvers } from "../config/config.ts";
import type { Database } from "../db/engine/pool.ts";
import { sandboxLiveSince, sandboxZoneLookup } from "../db/queries/sandbox/sandbox-zones.ts";
import { isSandboxName } from "../domain/sandbox/sandbox.ts";
import type { Environment } from "../domain/tenancy.ts";
import { createSandboxResolver } from "./sandbox/resolver.ts";

/** Which resolver answers for a connection's names. */
export interface DnsView {
  /**
   * The sandbox for names under `.test` in the test environment, the network for all others. What
   * is asked of a wildcard is asked of a random name that it covers.
   */
  resolverFor(environment: Environment, hostname: string): Resolver;
}

export interface DnsViewParts {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly egress: Guard;
  /** How many processes check under one limit of questions to a server; 1 by default. */
  readonly processes?: (() => number) | undefined;
  /** Replaces the network in tests. */
  readonly resolver?: Resolver | undefined;
}

export function createDnsView(parts: DnsViewParts): DnsView {
  const { config, database, clock } = parts;
  const network = parts.resolver ?? networkResolver(config, parts.egress, clock, parts.processes);
  const zones = sandboxZoneLookup(database);
  const sandbox = createSandboxResolver({
    loadZone: (zone) => zones.load(zone),
    liveSince: (hostname) => sandboxLiveSince(database, hostname),
    now: () => clock.now(),
    edge: { cname: config.edgeCname, addresses: [...config.edgeIpv4, ...config.edgeIpv6] },
    outside: network,
  });
  return {
    resolverFor(environment, hostname) {
      const own = environment === "test" && isSandboxName(hostname) ? sandbox : network;
      return hostname.startsWith("*.") ? withWildcardProbe(own) : own;
    },
  };
}

/** The same view for one check: whatever several of its parts need is asked once, and afresh. */
export function forOneCheck(view: DnsView): DnsView {
  const resolvers = new Map<string, Resolver>();
  return {
    resolverFor(environment, hostname) {
      const key = `${environment} ${hostname}`;
      const known = resolvers.get(key);
      if (known !== undefined) return known;
      const own = view.resolverFor(environment, hostname);
      const fresh = own.reuse?.("now") ?? own;
      resolvers.set(key, fresh);
      return fresh;
    },
  };
}

/** Asks the name servers in the tenant's share of them, for somebody who waits. */
export function askForTenant<T>(
  { tenantId }: { readonly tenantId: string },
  run: () => Promise<T>,
): Promise<T> {
  return askFor({ key: tenantId, urgency: "fresh" }, run);
}

const standardPort = 53;

/**
 * A zone's owner chooses the addresses of its name servers, so they pass the egress guard. With a
 * non-standard port the servers are the operator's, as in tests, and the guard is not asked.
 */
export function networkResolver(
  config: Config,
  egress: Guard,
  clock: Clock,
  processes: (() => number) | undefined = undefined,
): Resolver {
  const port = config.dnsAuthoritativePort;
  const anchors = config.dnssecTrustAnchors;
  return createNetworkResolver({
    resolvers: recursiveResolvers(config.dnsResolvers, getServers()),
    authoritativePort: port,
    ...(anchors.length > 0 ? { trustAnchors: anchors } : {}),
    now: () => clock.now(),
    ...(processes === undefined ? {} : { processes }),
    permitAddress: (address) => port !== standardPort || permitsAddress(egress, address),
  });
}
