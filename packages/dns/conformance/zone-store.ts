import { type DnsRecord, parseRecord, type RecordInput, recordKey } from "../src/record.ts";

/** A record as a simulated provider stores it: canonical values, but any type and any extras. */
export interface StoredRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
  readonly priority: number | null;
  /** What only this provider knows of, such as a proxy switch. */
  readonly extras: Readonly<Record<string, unknown>>;
}

export interface StoredZone {
  readonly id: string;
  readonly name: string;
  records: readonly StoredRecord[];
}

export type AddResult =
  | { readonly ok: true; readonly record: StoredRecord }
  | {
      readonly ok: false;
      readonly problem: "clash" | "duplicate" | "invalid";
      readonly message: string;
    };

export interface ZoneStore {
  seed(zone: string, records: readonly DnsRecord[]): void;
  /** Puts in a row that only this provider can have. */
  plant(zone: string, record: Omit<StoredRecord, "id">): void;
  zones(): readonly StoredZone[];
  zone(nameOrId: string): StoredZone | null;
  canonical(zone: string): readonly DnsRecord[];
  /** Adds one record, after the checks that any DNS server makes. */
  add(zone: StoredZone, input: RecordInput, extras?: StoredRecord["extras"]): AddResult;
  remove(zone: StoredZone, id: string): StoredRecord | null;
  /** Removes and adds as one step; on failure nothing has happened. */
  replace(
    zone: StoredZone,
    ids: readonly string[],
    inputs: readonly RecordInput[],
  ): AddResult | null;
  writeCount(): number;
}

/** Nothing in it knows any provider; simulators translate between it and their wire format. */
export function createZoneStore(): ZoneStore {
  const zones = new Map<string, StoredZone>();
  let lastId = 1_000;
  let writes = 0;
  const nextId = () => {
    lastId += 1;
    return String(lastId);
  };
  const put = (zone: StoredZone, input: RecordInput, extras: StoredRecord["extras"]): AddResult => {
    const parsed = parseRecord(input);
    if (!parsed.ok) return { ok: false, problem: "invalid", message: parsed.message };
    const problem = refuse(zone, parsed.record);
    if (problem !== null) return { ok: false, problem, message: `${problem} at ${input.name}` };
    const record = { ...parsed.record, id: nextId(), extras };
    zone.records = [...zone.records, record];
    return { ok: true, record };
  };
  return {
    seed(name, records) {
      const zone: StoredZone = { id: `zone${nextId()}`, name, records: [] };
      zone.records = records.map((record) => ({ ...record, id: nextId(), extras: {} }));
      zones.set(name, zone);
    },
    plant(name, record) {
      const zone = zones.get(name);
      if (zone === undefined) throw new Error(`no zone ${name}`);
      zone.records = [...zone.records, { ...record, id: nextId() }];
    },
    zones: () => [...zones.values()],
    zone: (key) => zones.get(key) ?? [...zones.values()].find(({ id }) => id === key) ?? null,
    canonical: (name) => canonicalRecords(zones.get(name)),
    add(zone, input, extras = {}) {
      const result = put(zone, input, extras);
      if (result.ok) writes += 1;
      return result;
    },
    remove(zone, id) {
      const found = zone.records.find((record) => record.id === id) ?? null;
      if (found !== null) writes += 1;
      zone.records = zone.records.filter((record) => record !== found);
      return found;
    },
    replace(zone, ids, inputs) {
      const before = zone.records;
      zone.records = zone.records.filter(({ id }) => !ids.includes(id));
      for (const input of inputs) {
        const result = put(zone, input, {});
        if (!result.ok) {
          zone.records = before;
          return result;
        }
      }
      writes += 1;
      return null;
    },
    writeCount: () => writes,
  };
}

function refuse(zone: StoredZone, record: DnsRecord): "clash" | "duplicate" | null {
  const there = zone.records.filter(({ name }) => name === record.name);
  const same = there.some(
    (one) =>
      one.type === record.type && one.value === record.value && one.priority === record.priority,
  );
  if (same) return "duplicate";
  const isApex = record.name === zone.name;
  const clashes = there.some(({ type }) => record.type === "CNAME" || type === "CNAME");
  return clashes && !isApex ? "clash" : null;
}

/** Rows of unknown types are left out; a CNAME at the apex becomes an ALIAS. */
function canonicalRecords(zone: StoredZone | undefined): readonly DnsRecord[] {
  const records = (zone?.records ?? []).flatMap((stored): readonly DnsRecord[] => {
    const type = stored.type === "CNAME" && stored.name === zone?.name ? "ALIAS" : stored.type;
    const parsed = parseRecord({ ...stored, type });
    return parsed.ok ? [parsed.record] : [];
  });
  return records.toSorted((a, b) => (recordKey(a) < recordKey(b) ? -1 : 1));
}
