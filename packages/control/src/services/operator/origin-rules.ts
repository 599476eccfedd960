import { parseHostname, wildcardOver } from "@mooring/dns";
import { createEdgeEndpoints, createGuard, EgressError, type Guard } from "@mooring/egress";
import type { Config } from "../../config/config.ts";
import { claimLookup } from "../../db/queries/connections/claims.ts";
import type { Runtime } from "../runtime.ts";

/** Which origins a proxy of somebody else may be sent to. */
export interface OriginRules {
  readonly guard: Guard;
  /**
   * Throws an EgressError for an origin that is the edge itself, where a request would go round: at
   * its addresses, by its name, or by a name that it serves.
   */
  refuseEdge(origin: OriginEndpoint): Promise<void>;
}

interface OriginEndpoint {
  /** A name or an address literal without brackets. */
  readonly name: string;
  readonly port: number;
  /** All addresses of the name. */
  readonly addresses: readonly { readonly address: string }[];
}

export function createOriginRules(runtime: Pick<Runtime, "config" | "database">): OriginRules {
  const { config } = runtime;
  const isEdge = edgeEndpoints(config);
  const claims = claimLookup(runtime.database);
  return {
    guard: createOriginGuard(config),
    async refuseEdge({ name, port, addresses }) {
      if (addresses.some(({ address }) => isEdge(address, port))) {
        throw new EgressError("refused_address", "the origin is the edge itself");
      }
      const parsed = parseHostname(name);
      if (!parsed.ok) return;
      const { hostname } = parsed;
      if (`.${hostname}`.endsWith(`.${config.edgeCname}`)) {
        throw new EgressError("refused_address", "the origin is the name of the edge");
      }
      const held = await Promise.all(coveringNames(hostname).map((one) => claims.load(one)));
      if (held.includes(true)) {
        throw new EgressError("refused_address", "the origin is a connected hostname");
      }
    },
  };
}

/** The policy by which the origins of customers are checked. */
export function createOriginGuard(config: Config): Guard {
  return createGuard({
    allow: config.egressAllow,
    nameServers: config.egressResolvers,
    allowPrivate: config.originAllowPrivate,
  });
}

/** Of an edge that is not ours the ports are those that customers' names are probed at. */
function edgeEndpoints(config: Config): (address: string, port: number) => boolean {
  const isExternal = config.edgeKind === "external";
  const ports = isExternal
    ? [config.edgeProbePort]
    : [config.edgeHttpPort, config.edgeHttpsPort, config.edgeInternalPort].filter(
        (port) => port !== null,
      );
  return createEdgeEndpoints({
    host: isExternal ? null : config.edgeHost,
    ports: () => ports,
    advertised: [...config.edgeIpv4, ...config.edgeIpv6],
  });
}

/** The name, and the wildcard that covers it; a wildcard is covered by itself alone. */
export function coveringNames(hostname: string): readonly string[] {
  const wildcard = hostname.startsWith("*.") ? null : wildcardOver(hostname);
  return wildcard === null ? [hostname] : [hostname, wildcard];
}

/** Whether `CDN-Loop` (RFC 8586) says that the request has been at an edge of this installation. */
export function hasLooped(cdnLoop: string | undefined, { edgeCname }: Config): boolean {
  const tokens = (cdnLoop ?? "").toLowerCase().split(",");
  return tokens.some((token) => token.trim().split(/[;\s]/)[0] === edgeCname);
}
