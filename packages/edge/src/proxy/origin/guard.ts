import { BlockList, connect, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { createGuard, EgressError, type Guard } from "@mooring/egress";
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

/** The public ports of an edge, whatever ports its process listens on. */
const publicPorts = [80, 443];
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

function ownEndpoints(
  settings: OriginSettings,
  listening: () => readonly number[],
): (address: string, port: number) => boolean {
  const local = listeningAddresses(settings.EDGE_HOST);
  const advertised = createBlockList([...settings.EDGE_IPV4, ...settings.EDGE_IPV6]);
  const configured = [
    settings.EDGE_HTTP_PORT,
    settings.EDGE_HTTPS_PORT,
    settings.EDGE_INTERNAL_PORT,
  ];
  return (address, port) => {
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    const isOurPort = configured.includes(port) || listening().includes(port);
    if (isOurPort) return local.check(address, family) || advertised.check(address, family);
    // Other services of the machine may listen on these ports of loopback.
    const isPublic = publicPorts.includes(port) && !loopback.check(address, family);
    return isPublic && advertised.check(address, family);
  };
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** The addresses at which a listener on `host` is reached. */
function listeningAddresses(host: string): BlockList {
  const isEvery = host === "0.0.0.0" || host === "::";
  if (!isEvery && isIP(host) !== 0) return createBlockList([host]);
  const interfaces = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const list = createBlockList(isEvery ? interfaces.map(({ address }) => address) : []);
  list.addSubnet("127.0.0.0", 8, "ipv4");
  list.addAddress("::1", "ipv6");
  return list;
}

/** A BlockList also matches the IPv6-mapped form of an IPv4 address (RFC 4291 §2.5.5.2). */
function createBlockList(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const address of addresses) list.addAddress(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  return list;
}
