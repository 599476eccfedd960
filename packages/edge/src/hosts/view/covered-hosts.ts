import { wildcardOver } from "@mooring/dns/lookup";
import type { Host, HostTable } from "../host.ts";

/** Names of one wildcard that are remembered; a flood of labels costs no more than this. */
const maxNames = 5_000;

/**
 * Finds the host of a visited name in a map of claims: the exact one, else the wildcard's as the
 * visited name. The same object for the same name while the claim lasts.
 */
export function createCoveredHosts(
  claimed: (hostname: string) => Host | null,
): (hostname: string) => Host | null {
  const known = new WeakMap<Host, Map<string, Host>>();
  return (hostname) => {
    const exact = claimed(hostname);
    if (exact !== null) return exact;
    const wildcard = wildcardOver(hostname);
    const cover = wildcard === null ? null : claimed(wildcard);
    if (cover === null) return null;
    const names = known.get(cover) ?? new Map<string, Host>();
    known.set(cover, names);
    const before = names.get(hostname);
    if (before !== undefined) return before;
    if (names.size >= maxNames) names.clear();
    const host = { ...cover, hostname, coveredBy: cover };
    names.set(hostname, host);
    return host;
  };
}

/** The two lookups of a name. */
export function createLookups(
  get: (hostname: string) => Host | null,
): Pick<HostTable, "get" | "find"> {
  return { get, find: createCoveredHosts(get) };
}

/**
 * The wildcard whose certificate serves a host that has none of its own yet; null when there is
 * none.
 */
export function findCover(hosts: { get(hostname: string): Host | null }, host: Host): Host | null {
  const wildcard = wildcardOver(host.hostname);
  return wildcard === null || wildcard === host.hostname ? null : hosts.get(wildcard);
}
