import { presentData } from "../../src/presentation.ts";
import { parseRecord } from "../../src/record.ts";
import type { StoredRecord, StoredZone } from "../zone-store.ts";

/** A set as providers with whole-set APIs store it: one TTL, data in zone-file form. */
export interface StoredSet {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly records: readonly StoredRecord[];
  readonly values: readonly string[];
}

export function groupSets(zone: StoredZone): readonly StoredSet[] {
  const groups = Map.groupBy(zone.records, ({ name, type }) => `${name} ${type}`);
  return [...groups.values()].flatMap((records): readonly StoredSet[] => {
    const [first] = records;
    if (first === undefined) return [];
    const { name, type, ttl } = first;
    return [{ name, type, ttl, records, values: records.map(zoneFileData) }];
  });
}

/** Planted rows may have types that the service does not know; their value is unchanged. */
export function zoneFileData(record: StoredRecord): string {
  const parsed = parseRecord(record);
  return parsed.ok ? presentData(parsed.record) : record.value;
}
