import { isSubdomainOf } from "../name.ts";
import type { ProviderManifest } from "../providers/adapter/manifest.ts";
import { type DnsRecord, type RecordType, recordKey } from "../record.ts";
import type { OpaqueRecord, ZoneListing } from "../zone.ts";
import { type Change, type ConflictKind, changeId, type Plan } from "./change.ts";
import { type PlanInput, type Refusal, refuseDesired, refuseRead } from "./safety.ts";

export type PlanResult =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

/**
 * Pure. Refuses the whole input when one record must never be written; else plans one change per
 * record.
 */
export function planChanges(input: PlanInput): PlanResult {
  const written = input.desired.map((record) => asWritten(record, input));
  const desired = unique(written.map((record) => withSetting(record, input)));
  const refusals = [...refuseRead(input), ...refuseDesired(input, desired)];
  if (refusals.length > 0) return { ok: false, refusals };
  const changes = desired.map((record) => planOne(record, desired, input));
  return { ok: true, plan: { zone: input.zone, changes, listedCount: listedCount(input.listing) } };
}

/**
 * A name that points to another name is an ALIAS at the apex, where DNS forbids a CNAME (RFC 1912
 * §2.4), and a CNAME below it. The TTL is raised to the provider's minimum.
 */
function asWritten(record: DnsRecord, { zone, manifest, limits }: PlanInput): DnsRecord {
  const ttl = Math.max(record.ttl, limits?.minimumTtlSeconds ?? manifest.minimumTtlSeconds);
  if (record.type !== "CNAME" && record.type !== "ALIAS") return { ...record, ttl };
  return { ...record, ttl, type: record.name === zone ? "ALIAS" : "CNAME" };
}

/**
 * Where settings are retained, a record that visitors follow gets the one of what it replaces, such
 * as the provider's proxy.
 */
function withSetting(record: DnsRecord, { listing, retainsSettings }: PlanInput): DnsRecord {
  if (retainsSettings !== true || !addressTypes.has(record.type)) return record;
  const present = listing.records.find(
    ({ name, type, setting }) =>
      name === record.name && addressTypes.has(type) && setting?.retained !== undefined,
  );
  return present?.setting === undefined ? record : { ...record, setting: present.setting };
}

function unique(records: readonly DnsRecord[]): readonly DnsRecord[] {
  return [...new Map(records.map((record) => [recordKey(record), record])).values()];
}

/** What an adapter that replaces whole zones has to find again before it writes. */
export function listedCount({ records, opaque }: ZoneListing): number {
  return records.length + opaque.length;
}

function planOne(record: DnsRecord, desired: readonly DnsRecord[], input: PlanInput): Change {
  const change = planAlone(record, desired, input);
  const warning = input.manifest.rewriteWarning;
  const isWrite = change.action === "create" || change.action === "update";
  if (warning === undefined || !isWrite || input.replace?.includes(change.id) === true) {
    return change;
  }
  const conflict = "whole_zone";
  return { ...change, action: "conflict", conflict, reason: warning, replaceable: true };
}

function planAlone(record: DnsRecord, desired: readonly DnsRecord[], input: PlanInput): Change {
  const { records, existing, fixed } = obstaclesFor(record, desired, input.listing, input.zone);
  const id = changeId(input.zone, record, existing);
  const wasThere = records.some((one) => satisfies(one, record));
  const base = { id, record, existing, replaceable: false, wasThere };
  if (fixed !== null) {
    return { ...base, action: "conflict", conflict: fixed.kind, reason: fixed.reason };
  }
  if (existing.length === 0) {
    return wasThere
      ? { ...base, action: "keep", reason: "The record is already there." }
      : { ...base, action: "create", reason: "Nothing is there yet." };
  }
  const owned = new Set(input.owned.map(recordKey));
  if (existing.every((one) => owned.has(recordKey(one)))) {
    return { ...base, action: "update", reason: "Replaces what this service wrote before." };
  }
  if (input.replace?.includes(id) === true) {
    return { ...base, action: "update", reason: "The replacement was authorised." };
  }
  const found = [...new Set(existing.map(({ type }) => type))].sort().join(", ");
  const notes = existing.flatMap(({ setting }) =>
    setting?.key === record.setting?.key ? (setting?.retained ?? []) : (setting?.note ?? []),
  );
  const lost = [...new Set(notes)];
  const taken = `${record.name} already has other records (${found}) that this service did not create.`;
  const reason = [taken, ...lost, ...listWarnings(input.manifest)].join(" ");
  return { ...base, action: "conflict", conflict: "other_records", reason, replaceable: true };
}

function listWarnings({ rewriteWarning }: ProviderManifest): readonly string[] {
  return rewriteWarning === undefined ? [] : [rewriteWarning];
}

/** What is in the way of a requested record at its name. */
export interface Obstacles {
  /** All readable records at the name. */
  readonly records: readonly DnsRecord[];
  /** Those that must be removed for the requested record to exist and to have effect. */
  readonly existing: readonly DnsRecord[];
  /** Something in the way that this service cannot remove; else null. */
  readonly fixed: FixedObstacle | null;
}

interface FixedObstacle {
  readonly kind: ConflictKind;
  readonly reason: string;
}

const addressTypes: ReadonlySet<RecordType> = new Set(["A", "AAAA", "CNAME", "ALIAS"]);

export function obstaclesFor(
  requested: DnsRecord,
  desired: readonly DnsRecord[],
  listing: ZoneListing,
  zone: string,
): Obstacles {
  const records = listing.records.filter(({ name }) => name === requested.name);
  const wantedKeys = new Set(desired.map(recordKey));
  const others = records.filter((one) => !wantedKeys.has(recordKey(one)));
  const existing = others.filter(
    (one) => !satisfies(one, requested) && blocks(one, requested, zone),
  );
  return { records, existing, fixed: fixedObstacle(requested, listing, zone) };
}

/** The record exists, whether the provider calls a pointer to another name CNAME or ALIAS. */
export function satisfies(present: DnsRecord, requested: DnsRecord): boolean {
  if (recordKey(present) === recordKey(requested)) return true;
  if (present.setting?.key !== requested.setting?.key) return false;
  return (
    isFollower(present.type) && isFollower(requested.type) && present.value === requested.value
  );
}

function isFollower(type: RecordType): boolean {
  return type === "CNAME" || type === "ALIAS";
}

/**
 * Whether `present`, which is not requested, prevents `requested` at the same name from existing or
 * working.
 */
function blocks(present: DnsRecord, requested: DnsRecord, zone: string): boolean {
  // The zone's NS set stays, whatever is requested at the apex.
  if (present.type === "NS" && present.name === zone) return false;
  // RFC 1034 §3.6.2: a CNAME is the only record of its name. Data beside a delegation is not served
  // (§4.2.1).
  if (requested.type === "CNAME" || present.type === "CNAME") return true;
  if (requested.type === "NS" || present.type === "NS") return requested.type !== present.type;
  // Another address beside ours takes a part of the visitors.
  if (addressTypes.has(requested.type)) return addressTypes.has(present.type);
  if (requested.type === "MX") return present.type === "MX";
  return requested.type === "TXT" && present.type === "TXT" && isSameSingleton(present, requested);
}

/** Policies of which a name may have one only: RFC 7208 §4.5, RFC 7489 §6.6.3. */
const singletonPolicies: readonly RegExp[] = [/^v=spf1(?:\s|$)/i, /^v=DMARC1(?:\s|;|$)/i];

function isSameSingleton(present: DnsRecord, requested: DnsRecord): boolean {
  return singletonPolicies.some(
    (policy) => policy.test(present.value) && policy.test(requested.value),
  );
}

function fixedObstacle(
  requested: DnsRecord,
  listing: ZoneListing,
  zone: string,
): FixedObstacle | null {
  const delegation = listing.records.find(
    ({ type, name }) => type === "NS" && name !== zone && isSubdomainOf(requested.name, name),
  );
  if (delegation !== undefined) {
    return {
      kind: "delegated",
      reason: `${delegation.name} is delegated to other name servers, so that nothing below it is answered from this zone.`,
    };
  }
  const opaque = listing.opaque.find((one) => one.name === requested.name && stops(one, requested));
  if (opaque === undefined) return null;
  return {
    kind: "managed",
    reason: `${opaque.name} ${opaque.type} ${opaque.value} is there, and ${opaque.note}.`,
  };
}

function stops(opaque: OpaqueRecord, requested: DnsRecord): boolean {
  if (opaque.type === "SOA") return false;
  if (requested.type === "CNAME" || opaque.type === "CNAME") return true;
  return opaque.isAddress && addressTypes.has(requested.type);
}
