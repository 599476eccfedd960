import { type DnsRecord, recordKey } from "../record.ts";
import type { ZoneListing } from "../zone.ts";
import { type Change, changeId, type Plan, planTraces, type Retimed } from "./change.ts";
import { listedCount, obstaclesFor, satisfies } from "./plan.ts";

/**
 * The plan that undoes `applied` in the current zone: added records are deleted if they still
 * exist, and the before-image is restored, TTLs included. Where a name has other records by now,
 * the change is a conflict and they stay.
 */
export function planRevert(applied: Plan, listing: ZoneListing): Plan {
  const { put, taken, found, retimed } = planTraces(applied);
  const now = new Set(listing.records.map(recordKey));
  const deleted = put.filter((record) => now.has(recordKey(record)));
  const after: ZoneListing = {
    records: listing.records.filter(
      (one) => !deleted.some((mine) => recordKey(mine) === recordKey(one)),
    ),
    opaque: listing.opaque,
  };
  const deletions = deleted.map((record): Change => {
    const id = changeId(applied.zone, record, [record]);
    const reason = "This service created the record.";
    return { id, action: "delete", record, existing: [record], reason, replaceable: false };
  });
  const restored = taken.map((record) =>
    restore(applied.zone, record, [...taken, ...found], after),
  );
  const slowed = retimed.flatMap((one) => restoreTtl(applied.zone, one, listing) ?? []);
  const changes = [...deletions, ...restored, ...slowed];
  return { zone: applied.zone, changes, listedCount: listedCount(listing) };
}

/** Null where the record is gone, or somebody has given it another TTL since. */
function restoreTtl(zone: string, { before, after }: Retimed, listing: ZoneListing): Change | null {
  const now = listing.records.find((one) => recordKey(one) === recordKey(after));
  if (now === undefined || now.ttl !== after.ttl) return null;
  const id = changeId(zone, now, [now]);
  const record = { ...now, ttl: before.ttl };
  const reason = `The TTL is ${before.ttl} s again.`;
  return { id, action: "update", record, existing: [now], reason, replaceable: false };
}

function restore(
  zone: string,
  record: DnsRecord,
  before: readonly DnsRecord[],
  listing: ZoneListing,
): Change {
  const { records, existing, fixed } = obstaclesFor(record, before, listing, zone);
  const base = { id: changeId(zone, record, existing), record, existing, replaceable: false };
  if (fixed !== null)
    return { ...base, action: "conflict", conflict: fixed.kind, reason: fixed.reason };
  if (existing.length > 0) {
    const reason = `${record.name} has been given other records since; they are left as they are.`;
    return { ...base, action: "conflict", reason };
  }
  return records.some((one) => satisfies(one, record))
    ? { ...base, action: "keep", reason: "The earlier record is there again." }
    : { ...base, action: "create", reason: "Restores what was there before." };
}
