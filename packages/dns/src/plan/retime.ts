import type { ProviderManifest } from "../providers/adapter/manifest.ts";
import { type DnsRecord, recordKey } from "../record.ts";
import type { ZoneLimits, ZoneListing } from "../zone.ts";
import { type Change, changeId } from "./change.ts";

export interface RetimeInput {
  readonly zone: string;
  readonly manifest: ProviderManifest;
  readonly limits?: ZoneLimits | undefined;
  readonly listing: ZoneListing;
  /** Whose TTL is to be lowered. */
  readonly records: readonly DnsRecord[];
  readonly ttlSeconds: number;
}

/**
 * Pure. Lowers the TTL of records that visitors use now, set by set, since a set has one TTL (RFC
 * 2181 §5.2). A set with any other record is left alone, and so is everything at a provider where
 * the name would be empty for a moment, or the whole zone written again.
 */
export function planLowerTtl(input: RetimeInput): readonly Change[] {
  const { zone, manifest, limits, listing } = input;
  if (manifest.rewriteWarning !== undefined || manifest.cannotChangeInPlace === true) return [];
  const minimum = limits?.minimumTtlSeconds ?? manifest.minimumTtlSeconds;
  const ttl = Math.max(input.ttlSeconds, minimum);
  const named = new Set(input.records.map(recordKey));
  const opaque = new Set(listing.opaque.map(setKey));
  return [...Map.groupBy(listing.records, setKey)]
    .filter(([key, set]) => !opaque.has(key) && set.every((one) => named.has(recordKey(one))))
    .flatMap(([, set]) => set.filter((one) => one.ttl > ttl))
    .map((one) => ({
      id: changeId(zone, one, [one]),
      action: "update",
      record: { ...one, ttl },
      existing: [one],
      reason: `The TTL is lowered from ${one.ttl} to ${ttl} s, so that visitors follow the switch sooner.`,
      replaceable: false,
    }));
}

function setKey({ name, type }: { readonly name: string; readonly type: string }): string {
  return `${name} ${type}`;
}
