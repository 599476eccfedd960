import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** Where the edge of an installation can be reached. */
export interface EdgeEndpoints {
  /** The address that it listens on; null where it runs on another machine. */
  readonly host: string | null;
  /** The ports that it listens on; called for each question. */
  readonly ports: () => readonly number[];
  /** The addresses that customers point at. */
  readonly advertised: readonly string[];
}

/** The public ports of an edge, whatever ports its process listens on. */
const publicPorts = [80, 443];

/** Tells whether an origin at this address is the edge itself, so that a request would loop. */
export function createEdgeEndpoints({
  host,
  ports,
  advertised,
}: EdgeEndpoints): (address: string, port: number) => boolean {
  const local = host === null ? new BlockList() : listeningAddresses(host);
  const known = createBlockList(advertised);
  return (address, port) => {
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (ports().includes(port)) return local.check(address, family) || known.check(address, family);
    // Other services of the machine may listen on these ports of loopback.
    const isPublic = publicPorts.includes(port) && !loopback.check(address, family);
    return isPublic && known.check(address, family);
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
