import { isIPv6 } from "node:net";

const publicResolvers = ["1.1.1.1", "8.8.8.8", "9.9.9.9"];

/** Those configured, else the system's, else well-known public ones. */
export function recursiveResolvers(
  configured: readonly string[],
  system: readonly string[],
): readonly string[] {
  // A link-local address with a zone index names no server that a socket here could be given.
  const usable = system.filter((address) => !address.includes("%"));
  const chosen = [configured, usable].find((list) => list.length > 0) ?? publicResolvers;
  return chosen.map((address) => (isIPv6(address) ? `[${address}]` : address));
}
