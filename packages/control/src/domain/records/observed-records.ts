import { cutText, maxObservedLength, maxObservedValues, type RecordCheck } from "@mooring/dns";
import type { DesiredRecord, ObservedRecord } from "../connections/connection.ts";

/** All values of a connection together, in characters: 50 desired records could bring 800,000. */
const maxCharacters = 65_536;

/** One entry for each value that is present where a record is desired. */
export function toObserved(checks: readonly RecordCheck[], now: Date): readonly ObservedRecord[] {
  return boundObserved(checks.flatMap((check) => toEntries(check, now)));
}

function toEntries(check: RecordCheck, now: Date): ObservedRecord[] {
  const { name, type, value, ttl, priority } = check.record;
  const entry = { host: name, type, ttl, priority, observed_at: now.toISOString() };
  if (check.outcome === "match") return [{ ...entry, value, propagated: true }];
  return check.observedValues.map((present, index) => ({
    ...entry,
    value: present,
    propagated: false,
    ...(index === 0 && check.isTruncated ? { omitted: check.omittedValues } : {}),
  }));
}

/**
 * At most 32 entries for a name and type and 512 characters for a value that is not the desired
 * one, and 64 Ki characters in all. The first entry of a name and type says how many are not
 * listed. For entries of a check, and for rows that were written before there was a limit.
 */
export function boundObserved(entries: readonly ObservedRecord[]): readonly ObservedRecord[] {
  const retained = new Map<string, ObservedRecord[]>();
  let characters = 0;
  for (const entry of entries) {
    const key = `${entry.type} ${entry.host}`;
    const same = retained.get(key) ?? [];
    retained.set(key, same);
    if (
      same.some(({ value, propagated }) => value === entry.value && propagated === entry.propagated)
    )
      continue;
    const bounded = boundEntry(entry);
    const isFull = same.length >= maxObservedValues || characters > maxCharacters;
    if (isFull && same[0] !== undefined) same[0] = withOmitted(same[0], 1);
    if (isFull) continue;
    characters += bounded.value.length;
    same.push(bounded);
  }
  return [...retained.values()].flat();
}

/** A value that matched is the desired one, which has limits of its own. */
function boundEntry(entry: ObservedRecord): ObservedRecord {
  if (entry.propagated || entry.value.length <= maxObservedLength) return entry;
  return withOmitted({ ...entry, value: cutText(entry.value, maxObservedLength) }, 0);
}

function withOmitted(entry: ObservedRecord, more: number): ObservedRecord {
  return { ...entry, omitted: (entry.omitted ?? 0) + more };
}

/** How many values were seen and are not listed; null when all are, and in full. */
export function countOmitted(entries: readonly ObservedRecord[]): number | null {
  const counts = entries.flatMap(({ omitted }) => (omitted === undefined ? [] : [omitted]));
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}

/** The first records of each name and type, with values as long as they may be. */
export function boundRecords(records: readonly DesiredRecord[]): DesiredRecord[] {
  const counts = new Map<string, number>();
  return records.flatMap((record) => {
    const key = `${record.type} ${record.host}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > maxObservedValues) return [];
    return [{ ...record, value: cutText(record.value, maxObservedLength) }];
  });
}
