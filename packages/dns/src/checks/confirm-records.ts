import { isAtOrBelow, registryDomain } from "../name.ts";
import type { DnsRecord } from "../record.ts";
import type { FoundZone, NameServer, Resolver, ReusingResolver } from "../resolve/resolver.ts";
import { type CheckOptions, checkRecords, type RecordsCheck } from "./records.ts";

/**
 * Whether records that were right are right still, at one server of the zone. Null for everything
 * but a full match with authority of the records themselves: only a check of all servers, found
 * again, then says what is wrong. A zone that has moved while its old servers still answer is
 * noticed when the TTL of its NS set has ended.
 */
export async function confirmRecords(
  oneServer: Resolver,
  wanted: readonly DnsRecord[],
  options: CheckOptions,
): Promise<RecordsCheck | null> {
  const check = await checkRecords(oneServer, wanted, options);
  const isConfirmed = check.records.every(
    ({ outcome, isIndirect = false }) => outcome === "match" && !isIndirect,
  );
  return isConfirmed ? check : null;
}

/**
 * The same resolver, for which every zone has one server: one of the zone's own, chosen at random
 * once. `known` is the zone that had the names last; by default the domain that the registry has
 * delegated.
 */
export function withOneServer(resolver: ReusingResolver, known: string | null): Resolver {
  const chosen = new Map<string, Promise<NameServer | null>>();
  const pickServer = (zone: string, signal: AbortSignal) => {
    const server = chosen.get(zone) ?? resolver.pickServer(zone, signal);
    chosen.set(zone, server);
    return server;
  };
  return {
    ...resolver,
    async findZone(name, signal): Promise<FoundZone> {
      const zone = known !== null && isAtOrBelow(name, known) ? known : registryDomain(name);
      const server = zone === null ? null : await pickServer(zone, signal);
      if (zone === null || server === null) return { outcome: "failed", reason: "unreachable" };
      return { outcome: "found", zone, servers: [server] };
    },
  };
}
