import type { FoundZone } from "../../resolve/resolver.ts";
import type { Zone } from "../../zone.ts";
import type { ProviderManifest } from "./manifest.ts";

/**
 * Whether the world asks a zone at a provider.
 * - `live`: the name is delegated to this zone's servers.
 * - `elsewhere`: it is delegated to others, or to none; a write would have no effect.
 * - `unknown`: the delegation could not be read, or nothing says which servers the zone has.
 */
export type Delegation = "live" | "elsewhere" | "unknown";

/**
 * The one rule for every provider. `zone` has the servers that the provider assigned, as far as its
 * API says; else the servers that the manifest knows count. `found` is the deepest zone of the name
 * in DNS: a zone of another name, above or below it, is not the one that is asked.
 */
export function judgeDelegation(
  zone: Pick<Zone, "name" | "nameservers">,
  manifest: Pick<ProviderManifest, "nameservers">,
  found: FoundZone,
): Delegation {
  if (found.outcome === "failed") return "unknown";
  if (found.outcome === "unregistered" || found.zone !== zone.name) return "elsewhere";
  const hosts = found.servers.map(({ host }) => canonical(host));
  const assigned = new Set(zone.nameservers.map(canonical));
  const { suffixes, expressions } = manifest.nameservers;
  if (assigned.size + suffixes.length + expressions.length === 0) return "unknown";
  const isOurs = (host: string) =>
    assigned.size > 0 ? assigned.has(host) : isKnownServer(host, manifest.nameservers);
  return hosts.some(isOurs) ? "live" : "elsewhere";
}

function canonical(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}

/** Whether the host matches the provider's suffixes or expressions. */
export function isKnownServer(
  host: string,
  { suffixes, expressions }: Pick<ProviderManifest["nameservers"], "suffixes" | "expressions">,
): boolean {
  return (
    expressions.some((one) => one.test(host)) ||
    suffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))
  );
}
