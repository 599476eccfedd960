import { type DnsRecord, obstaclesFor, recordKey, registrableDomain } from "@mooring/dns";
import type { DesiredRecord } from "../../domain/connection.ts";
import { toDesired, toDnsRecord } from "../../domain/desired-records.ts";
import type { SeenName } from "./look-at-name.ts";

export interface ConflictContext {
  /** Addresses that mean the edge: a flattened name shows them instead of its target. */
  readonly edgeAddresses: ReadonlySet<string>;
  /** The provider lets a zone's own name follow another. */
  readonly canFlatten: boolean;
}

/**
 * What stands in the way of the wanted records, each once: what must go, or change, before they can
 * be there and mean what they say. What a wildcard gives is in nobody's way.
 */
export function recordConflicts(
  wanted: readonly DesiredRecord[],
  names: readonly SeenName[],
  context: ConflictContext,
): DesiredRecord[] {
  const desired = wanted.map(toDnsRecord);
  const found = desired.flatMap((record) => {
    const seen = names.find(({ name }) => name === record.name);
    return seen === undefined || seen.fromWildcard ? [] : against(record, desired, seen, context);
  });
  const conflicts = new Map(found.map((record) => [recordKey(record), toDesired(record)]));
  for (const record of desired) conflicts.delete(recordKey(record));
  return [...conflicts.values()];
}

function against(
  record: DnsRecord,
  desired: readonly DnsRecord[],
  seen: SeenName,
  context: ConflictContext,
): readonly DnsRecord[] {
  const zone = seen.zone ?? "";
  // At a zone's own name a follower stands beside the zone's other data, as an ALIAS does.
  const isFollower = record.type === "CNAME" || record.type === "ALIAS";
  const placed: DnsRecord =
    isFollower && zone === record.name ? { ...record, type: "ALIAS" } : record;
  const records = seen.records.filter(
    ({ type, value }) => !(isFollower && isAddress(type) && context.edgeAddresses.has(value)),
  );
  const { existing } = obstaclesFor(placed, [...desired, placed], { records, opaque: [] }, zone);
  return [...existing, ...delegation(record, seen, context)];
}

/** Below a domain a zone's own name can become an ordinary one again, by ending the delegation. */
function delegation(
  record: DnsRecord,
  { name, zone, records }: SeenName,
  { canFlatten }: ConflictContext,
): readonly DnsRecord[] {
  const isDelegated = name === zone && registrableDomain(name) !== name;
  if (record.type !== "CNAME" || !isDelegated || canFlatten) return [];
  return records.filter(({ type }) => type === "NS");
}

function isAddress(type: string): boolean {
  return type === "A" || type === "AAAA";
}
