import { BlockList, isIPv4, isIPv6 } from "node:net";

/**
 * The ranges that Cloudflare publishes at https://www.cloudflare.com/ips/. A name that answers with
 * one of them is served through its proxy, or by a customer's flattened record that points there.
 */
const IPV4_RANGES: readonly (readonly [string, number])[] = [
  ["173.245.48.0", 20],
  ["103.21.244.0", 22],
  ["103.22.200.0", 22],
  ["103.31.4.0", 22],
  ["141.101.64.0", 18],
  ["108.162.192.0", 18],
  ["190.93.240.0", 20],
  ["188.114.96.0", 20],
  ["197.234.240.0", 22],
  ["198.41.128.0", 17],
  ["162.158.0.0", 15],
  ["104.16.0.0", 13],
  ["104.24.0.0", 14],
  ["172.64.0.0", 13],
  ["131.0.72.0", 22],
];

const IPV6_RANGES: readonly (readonly [string, number])[] = [
  ["2400:cb00::", 32],
  ["2606:4700::", 32],
  ["2803:f800::", 32],
  ["2405:b500::", 32],
  ["2405:8100::", 32],
  ["2a06:98c0::", 29],
  ["2c0f:f248::", 32],
];

const ranges = new BlockList();
for (const [network, prefix] of IPV4_RANGES) ranges.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of IPV6_RANGES) ranges.addSubnet(network, prefix, "ipv6");

/** Whether the address belongs to a published proxy range; false for anything that is no address. */
export function isProxyAddress(address: string): boolean {
  if (isIPv4(address)) return ranges.check(address, "ipv4");
  return isIPv6(address) && ranges.check(address, "ipv6");
}
