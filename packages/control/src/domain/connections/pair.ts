import { splitHostname } from "@mooring/dns";

/** A registered domain and its `www`, which people take for one. */
export interface Pair {
  readonly apex: string;
  readonly www: string;
}

export type PairSide = keyof Pair;

/** The pair that a hostname belongs to, or null for any other name. */
export function findPair(hostname: string): Pair | null {
  const { registrableDomain: apex } = splitHostname(hostname);
  const www = `www.${apex}`;
  return hostname === apex || hostname === www ? { apex, www } : null;
}

/** `acme.com` for `www.acme.com` and the other way round; null for any other name. */
export function partnerName(hostname: string): string | null {
  const pair = findPair(hostname);
  if (pair === null) return null;
  return hostname === pair.apex ? pair.www : pair.apex;
}
