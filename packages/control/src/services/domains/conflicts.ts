import {
  type DnsRecord,
  leadsElsewhere,
  obstaclesFor,
  recordKey,
  registrableDomain,
} from "@mooring/dns";
import type { DesiredRecord } from "../../domain/connections/connection.ts";
import { fromDesired, isTrafficType, toDesired } from "../../domain/records/desired-records.ts";
import { boundRecords } from "../../domain/records/observed-records.ts";
import type { NameObservation } from "./observe-name.ts";

export interface ConflictContext {
  /** The edge's addresses: a flattened name answers with them instead of its target. */
  readonly edgeAddresses: ReadonlySet<string>;
  /** Names that are as right as the desired one; absent: none. */
  readonly edgeNames?: ReadonlySet<string>;
  /** The provider offers ALIAS or CNAME flattening at the apex. */
  readonly canFlatten: boolean;
}

/**
 * The present records that conflict with the desired ones, each once, 32 of a name and type at
 * most: they must be removed or changed before the desired records can be published and take
 * effect. A wildcard's records never conflict.
 */
export function recordConflicts(
  requested: readonly DesiredRecord[],
  names: readonly NameObservation[],
  context: ConflictContext,
): DesiredRecord[] {
  const desired = requested.map(fromDesired);
  const found = desired.flatMap((record) => {
    const present = names.find(({ name }) => name === record.name);
    if (present === undefined || present.fromWildcard) return [];
    return conflictsWith(record, desired, present, context);
  });
  const conflicts = new Map(found.map((record) => [recordKey(record), toDesired(record)]));
  for (const record of desired) conflicts.delete(recordKey(record));
  const bindings = names.flatMap((name) => bindingConflicts(name, desired, context));
  return boundRecords([...conflicts.values(), ...bindings]);
}

/**
 * HTTPS records that send browsers elsewhere than the desired records do. Beside a CNAME none may
 * be, except at the apex, where the CNAME is flattened.
 */
function bindingConflicts(
  { name, zone, bindings, fromWildcard }: NameObservation,
  desired: readonly DnsRecord[],
  { edgeAddresses }: ConflictContext,
): DesiredRecord[] {
  const leading = desired.filter((record) => record.name === name && isTrafficType(record.type));
  if (leading.length === 0 || fromWildcard) return [];
  const targets = leading.filter(({ type }) => !isAddress(type)).map(({ value }) => value);
  const own = leading.filter(({ type }) => isAddress(type)).map(({ value }) => value);
  const destination = { name, targets, addresses: new Set([...edgeAddresses, ...own]) };
  const isAlone = name !== zone && leading.some(({ type }) => type === "CNAME");
  return bindings
    .filter((record) => isAlone || leadsElsewhere(record, destination))
    .map(({ value, ttl, priority }) => ({ host: name, type: "HTTPS", value, ttl, priority }));
}

function isEquallyRight(desired: string, present: string, { edgeNames }: ConflictContext): boolean {
  return edgeNames?.has(desired) === true && edgeNames.has(present);
}

function conflictsWith(
  record: DnsRecord,
  desired: readonly DnsRecord[],
  present: NameObservation,
  context: ConflictContext,
): readonly DnsRecord[] {
  const zone = present.zone ?? "";
  // At the apex a flattened CNAME coexists with the zone's other records, as an ALIAS does.
  const isFollower = record.type === "CNAME" || record.type === "ALIAS";
  const candidate: DnsRecord =
    isFollower && zone === record.name ? { ...record, type: "ALIAS" } : record;
  const records = present.records.filter(
    ({ type, value }) =>
      !(isFollower && isAddress(type) && context.edgeAddresses.has(value)) &&
      !(isFollower && type === "CNAME" && isEquallyRight(record.value, value, context)),
  );
  const { existing } = obstaclesFor(
    candidate,
    [...desired, candidate],
    { records, opaque: [] },
    zone,
  );
  return [...existing, ...delegation(record, present, context)];
}

/** A delegated subdomain can take a CNAME only after its NS records are removed. */
function delegation(
  record: DnsRecord,
  { name, zone, records }: NameObservation,
  { canFlatten }: ConflictContext,
): readonly DnsRecord[] {
  const isDelegated = name === zone && registrableDomain(name) !== name;
  if (record.type !== "CNAME" || !isDelegated || canFlatten) return [];
  return records.filter(({ type }) => type === "NS");
}

function isAddress(type: string): boolean {
  return type === "A" || type === "AAAA";
}
