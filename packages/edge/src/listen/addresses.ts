/** The key of an address: IPv4 as it is, also when mapped; IPv6 by its first four groups. */
export function toNetwork(address: string): string {
  const bare = plainAddress(address);
  if (!bare.includes(":")) return bare;
  const [head = "", tail] = bare.split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  return [...groups, ...Array<string>(gap).fill("0"), ...after].slice(0, 4).join(":");
}

/** Without a zone; an IPv4-mapped IPv6 address as IPv4. */
export function plainAddress(address: string): string {
  const bare = address.split("%")[0] ?? "";
  return /^::ffff:[0-9.]+$/i.test(bare) ? bare.slice(7) : bare;
}
