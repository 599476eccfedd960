import {
  createNetworkResolver,
  type NameServer,
  type Reply,
  type Resolver,
} from "@mooring/dns/lookup";

/** What one server of the validation zone answers; null where it did not. */
export interface InspectedServer {
  readonly host: string;
  readonly addresses: readonly string[];
  /** The zone's SOA record without its serial, over UDP. */
  readonly soa: string | null;
  readonly answersTcp: boolean;
}

/** The delegation as the internet sees it, from the parent zone down. */
export interface InspectedDelegation {
  /** The names of the delegation at the parent; null when there is none, or it was not found. */
  readonly delegatedTo: readonly string[] | null;
  readonly servers: readonly InspectedServer[];
}

const timeoutMs = 15_000;

/** Follows the delegation of the zone; asks, and changes nothing. */
export async function inspectValidation(options: {
  readonly resolvers: readonly string[];
  readonly authoritativePort: number;
  readonly zone: string;
}): Promise<InspectedDelegation> {
  const { resolvers, authoritativePort, zone } = options;
  const resolver = createNetworkResolver({ resolvers, authoritativePort });
  const signal = AbortSignal.timeout(timeoutMs);
  const found = await resolver.findZone(zone, signal);
  if (found.outcome !== "found" || found.zone !== zone) return { delegatedTo: null, servers: [] };
  const servers = await Promise.all(
    found.servers.map((one) => inspect(resolver, one, zone, signal)),
  );
  return { delegatedTo: found.servers.map(({ host }) => host), servers };
}

async function inspect(
  resolver: Resolver,
  server: NameServer,
  zone: string,
  signal: AbortSignal,
): Promise<InspectedServer> {
  const ask = (transport: "udp" | "tcp") =>
    resolver.askServer(server, zone, "SOA", { signal, transport });
  const [udp, tcp] = await Promise.all([ask("udp"), ask("tcp")]);
  const { host, addresses } = server;
  const answersTcp = tcp.outcome === "records" && tcp.transport === "tcp";
  return { host, addresses, soa: findSoa(udp), answersTcp };
}

/** RFC 1035 §3.3.13: the third field is the serial, which may differ for a moment. */
function findSoa(reply: Reply): string | null {
  if (reply.outcome !== "records") return null;
  const fields = reply.records[0]?.value.split(" ") ?? [];
  return fields.filter((_, index) => index !== 2).join(" ");
}
