import type { FoundZone, NameServer, Reply, Resolver } from "@mooring/dns";
import type { DnssecFacts, ServerFacts } from "../../../domain/diagnosis/facts.ts";

/** A zone whose servers are known. */
export interface ServedZone {
  readonly zone: string;
  readonly servers: readonly NameServer[];
}

export function servedZone(found: FoundZone | null): ServedZone | null {
  return found?.outcome === "found" ? found : null;
}

/** What each server of the delegation says of the zone itself. */
export async function lookAtServers(
  resolver: Resolver,
  at: ServedZone | null,
  signal: AbortSignal,
): Promise<readonly ServerFacts[]> {
  if (at === null) return [];
  return Promise.all(
    at.servers.map(async (server) => {
      const asked = { signal, transport: "udp" } as const;
      const reply = await resolver.askServer(server, at.zone, "NS", asked);
      return { host: server.host, reply };
    }),
  );
}

/** The parent's promise of keys, and where there is one, whether the servers have any. */
export async function lookAtKeys(
  resolver: Resolver,
  at: ServedZone | null,
  signal: AbortSignal,
): Promise<Omit<DnssecFacts, "status">> {
  if (at === null) return noKeys;
  const ds = valuesOf(await resolver.resolve(at.zone, "DS", signal));
  if (ds.length === 0) return noKeys;
  const keys = await Promise.all(
    at.servers.map(async (server) => {
      const asked = { signal, transport: "udp" } as const;
      const reply = await resolver.askServer(server, at.zone, "DNSKEY", asked);
      return reply.outcome === "failed"
        ? []
        : [{ host: server.host, hasKeys: reply.outcome === "records" }];
    }),
  );
  return { ds, keys: keys.flat() };
}

export const noKeys = { ds: [], keys: [] } as const;

export function valuesOf(reply: Reply): readonly string[] {
  return reply.outcome === "records" ? reply.records.map(({ value }) => value) : [];
}
