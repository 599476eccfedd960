import { BlockList, isIPv6 } from "node:net";

/** Whether an address is in one of the configured networks. */
export type Networks = (address: string) => boolean;

/**
 * `cidrs` are addresses or networks. An IPv4 network also holds the mapped form of its addresses.
 */
export function createNetworks(cidrs: readonly string[]): Networks {
  if (cidrs.length === 0) return () => false;
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", prefix] = cidr.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
