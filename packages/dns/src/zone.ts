import { isAtOrBelow, isSubdomainOf } from "./name.ts";
import type { DnsRecord } from "./record.ts";

/** A zone that the credential can see. */
export interface Zone {
  /** The provider's own key for it; opaque to everyone but the adapter. */
  readonly id: string;
  /** Canonical: lower-case A-label, no trailing dot. */
  readonly name: string;
  /** The servers that the provider assigned to it, when its interface tells; else empty. */
  readonly nameservers: readonly string[];
}

/**
 * Something in the zone that is never written: a type of no concern to us, a row that the provider
 * manages itself, or a value that cannot be read. It can still stand in a record's way.
 */
export interface OpaqueRecord {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  /** Why it is left alone, as the end of the sentence "… is there, and". */
  readonly note: string;
  /** It decides which addresses a visitor of the name gets. */
  readonly isAddress: boolean;
}

export interface ZoneListing {
  readonly records: readonly DnsRecord[];
  readonly opaque: readonly OpaqueRecord[];
}

/** The zone for a name: the longest that contains it. */
export function longestZone<Z extends { readonly name: string }>(
  zones: readonly Z[],
  name: string,
): Z | null {
  let best: Z | null = null;
  for (const zone of zones) {
    const isLonger = best === null || isSubdomainOf(zone.name, best.name);
    if (isAtOrBelow(name, zone.name) && isLonger) best = zone;
  }
  return best;
}
