import { type Change, changeId, type Plan } from "./change.ts";
import { obstaclesFor, satisfies } from "./plan-rules.ts";
import { type PlanInput, type Refusal, refuseDesired, refuseRead } from "./plan-safety.ts";
import { type DnsRecord, recordKey } from "./record.ts";

export type PlanResult =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** Pure. Refuses as a whole what must never be written; otherwise says what is to be done, record by record. */
export function planChanges(input: PlanInput): PlanResult {
  const desired = unique(input.desired.map((record) => asWritten(record, input)));
  const refusals = [...refuseRead(input), ...refuseDesired(input, desired)];
  if (refusals.length > 0) return { ok: false, refusals };
  const changes = desired.map((record) => planOne(record, desired, input));
  return { ok: true, plan: { zone: input.zone, changes } };
}

/**
 * A name that follows another is an ALIAS at the apex, where DNS forbids a CNAME (RFC 1912 §2.4), and
 * a CNAME below it, where every provider can do so. The TTL is raised to the provider's minimum.
 */
function asWritten(record: DnsRecord, { zone, manifest }: PlanInput): DnsRecord {
  const ttl = Math.max(record.ttl, manifest.minimumTtlSeconds);
  if (record.type !== "CNAME" && record.type !== "ALIAS") return { ...record, ttl };
  return { ...record, ttl, type: record.name === zone ? "ALIAS" : "CNAME" };
}

function unique(records: readonly DnsRecord[]): readonly DnsRecord[] {
  return [...new Map(records.map((record) => [recordKey(record), record])).values()];
}

function planOne(record: DnsRecord, desired: readonly DnsRecord[], input: PlanInput): Change {
  const { records, existing, fixed } = obstaclesFor(record, desired, input.listing, input.zone);
  const id = changeId(input.zone, record, existing);
  const wasThere = records.some((one) => satisfies(one, record));
  const base = { id, record, existing, replaceable: false, wasThere };
  if (fixed !== null) return { ...base, action: "conflict", reason: fixed };
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
  const reason = `${record.name} already has other records (${found}) that this service did not create.`;
  return { ...base, action: "conflict", reason, replaceable: true };
}
