import { connect } from "node:net";
import { createEdgeEndpoints, createGuard, EgressError, type Guard } from "@mooring/egress";
import type { EdgeSettings } from "../../config/settings.ts";

type OriginSettings = Pick<
  EdgeSettings,
  | "EDGE_HOST"
  | "EDGE_HTTP_PORT"
  | "EDGE_HTTPS_PORT"
  | "EDGE_INTERNAL_PORT"
  | "EDGE_IPV4"
  | "EDGE_IPV6"
  | "EGRESS_ALLOW"
  | "EGRESS_RESOLVERS"
  | "ORIGIN_ALLOW_PRIVATE"
>;

/** RFC 8305 §5 suggests 250 ms; longer, so that a slow first address is not dropped. */
const nextAddressAfterMs = 500;

/**
 * Decides which origins may be dialled. Beside the egress policy it refuses this edge's own
 * listeners, because such a request would loop. `listening` returns the ports that the system
 * assigned.
 */
export function createOriginGuard(
  settings: OriginSettings,
  listening: () => readonly number[] = () => [],
): Guard {
  const isOwn = ownEndpoints(settings, listening);
  return createGuard({
    allow: settings.EGRESS_ALLOW,
    nameServers: settings.EGRESS_RESOLVERS,
    allowPrivate: settings.ORIGIN_ALLOW_PRIVATE,
    // Called with the addresses that are dialled, so a name cannot change in between.
    connect({ host, port, addresses }) {
      if (addresses.some(({ address }) => isOwn(address, port))) {
        throw new EgressError("refused_address", "the origin is a listener of this edge");
      }
      return connect({
        host,
        port,
        noDelay: true,
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
        lookup: (_hostname, _options, callback) => callback(null, [...addresses]),
      });
    },
  });
}

/** Tells whether an address is a listener of this edge. */
export function ownEndpoints(
  settings: OriginSettings,
  listening: () => readonly number[] = () => [],
): (address: string, port: number) => boolean {
  const configured = [
    settings.EDGE_HTTP_PORT,
    settings.EDGE_HTTPS_PORT,
    settings.EDGE_INTERNAL_PORT,
  ].filter((port) => port !== null);
  return createEdgeEndpoints({
    host: settings.EDGE_HOST,
    ports: () => [...configured, ...listening()],
    advertised: [...settings.EDGE_IPV4, ...settings.EDGE_IPV6],
  });
}
