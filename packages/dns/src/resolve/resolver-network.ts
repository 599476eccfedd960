import { BlockList, isIPv4, isIPv6 } from "node:net";

/** Addresses of public resolvers that one operator runs in several networks. */
const operators: Readonly<Record<string, readonly string[]>> = {
  cloudflare: ["1.1.1.0/24", "1.0.0.0/24", "2606:4700:4700::/48"],
  google: ["8.8.8.0/24", "8.8.4.0/24", "2001:4860:4860::/48"],
  quad9: ["9.9.9.0/24", "149.112.112.0/24", "2620:fe::/48"],
  cisco: ["208.67.220.0/24", "208.67.222.0/24", "2620:119:35::/48", "2620:119:53::/48"],
  adguard: ["94.140.14.0/24", "94.140.15.0/24", "2a10:50c0::/32"],
  // Whatever runs there is the installation's own, and asks the world from one network.
  own: ["127.0.0.0/16", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7"],
};

const lists = Object.entries(operators).map(([operator, prefixes]) => {
  const list = new BlockList();
  for (const prefix of prefixes) {
    const [address = "", bits] = prefix.split("/");
    list.addSubnet(address, Number(bits), isIPv6(address) ? "ipv6" : "ipv4");
  }
  return { operator, list };
});

/**
 * Who runs a recursive resolver, as far as its address shows: a known operator, else its network
 * (/16, or /32 of IPv6). Two resolvers of different operators do not fail, and are not deceived,
 * together.
 */
export function resolverNetwork(address: string): string {
  const family = isIPv4(address) ? "ipv4" : "ipv6";
  const known = lists.find(({ list }) => list.check(address, family));
  if (known !== undefined) return known.operator;
  return family === "ipv4"
    ? address.split(".").slice(0, 2).join(".")
    : expanded(address).slice(0, 2).join(":");
}

/** The eight groups of an IPv6 address. */
function expanded(address: string): readonly string[] {
  const [head = "", tail] = address.split("::");
  const [left, right] = [head, tail ?? ""].map((part) => part.split(":").filter(Boolean));
  const missing = 8 - (left?.length ?? 0) - (right?.length ?? 0);
  const zeros = Array.from({ length: Math.max(0, missing) }, () => "0");
  return [...(left ?? []), ...zeros, ...(right ?? [])].map((group) =>
    Number.parseInt(group, 16).toString(16),
  );
}
