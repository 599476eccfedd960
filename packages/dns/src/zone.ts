import { isAtOrBelow, isSubdomainOf } from "./name.ts";
import type { DnsRecord } from "./record.ts";

/** A zone that the credential has access to. */
export interface Zone {
  /** The provider's key for it; opaque to all but the adapter. */
  readonly id: string;
  /** Canonical: lower-case A-label, no trailing dot. */
  readonly name: string;
  /** The servers that the provider assigned to it; empty when its API does not say. */
  readonly nameservers: readonly string[];
  /** Where this zone differs from the provider's manifest. */
  readonly limits?: ZoneLimits;
}

export interface ZoneLimits {
  readonly minimumTtlSeconds?: number;
  /** Why the apex of this zone cannot follow a host name, as a sentence. */
  readonly noApexAlias?: string;
}

/**
 * A record that is never written: of an unsupported type, managed by the provider itself, or with a
 * value that cannot be read. It can still be in the way of a wanted record.
 */
export interface OpaqueRecord {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  /** Why it is left alone, as the end of the sentence "… is there, and". */
  readonly note: string;
  /** It decides which addresses the name resolves to. */
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
