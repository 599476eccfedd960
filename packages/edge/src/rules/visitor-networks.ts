import { isIPv6 } from "node:net";
import { createNetworks, type Networks } from "../listen/networks.ts";

/**
 * One spelling for each visitor: IPv6 as RFC 5952 writes it, mapped IPv4 as IPv4. Proxies name
 * visitors in any.
 */
export function normalizeVisitor(address: string): string {
  if (!address.includes(":")) return address;
  const bare = address.split("%")[0] ?? "";
  if (!isIPv6(bare)) return bare;
  const normal = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(normal);
  if (mapped === null) return normal;
  const [high, low] = [Number(`0x${mapped[1]}`), Number(`0x${mapped[2]}`)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/**
 * Whether a visitor with a normal address is in one of the networks. IPv4 networks hold IPv4
 * visitors only, IPv6 networks the others: `::/0` is not everybody. A network that is not
 * understood, perhaps that of another release, holds nobody.
 */
export function createVisitorNetworks(networks: readonly string[]): Networks {
  const usable = networks.filter(isUsable);
  const inV4 = createNetworks(usable.filter((network) => !network.includes(":")));
  const inV6 = createNetworks(usable.filter((network) => network.includes(":")));
  return (address) => (address.includes(":") ? inV6(address) : inV4(address));
}

function isUsable(network: string): boolean {
  try {
    createNetworks([network]);
    return true;
  } catch {
    return false;
  }
}
