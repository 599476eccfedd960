import type { EdgeLimits } from "../../config/limits.ts";

/** IPv6 by /64. */
export const visitorNetwork = "src,ipmask(32,64)";

/**
 * What an address may not exceed, as conditions. They read the table of the section `promoted`
 * before a connection is in it: one that is refused does not count, so that an address which opens
 * too many has as many as it may.
 */
export function addressLimits(limits: EdgeLimits): readonly string[] {
  const { connectionsPerAddress, handshakesPerAddressPerSecond } = limits;
  return [
    `{ ${visitorNetwork},table_conn_cur(promoted) ge ${connectionsPerAddress} }`,
    `{ ${visitorNetwork},table_conn_rate(promoted) ge ${handshakesPerAddressPerSecond} }`,
  ];
}
