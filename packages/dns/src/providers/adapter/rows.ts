import { normalizeName } from "../../name.ts";
import { type Plan, planEdits } from "../../plan/change.ts";
import {
  type DnsRecord,
  isRecordType,
  parseRecord,
  type RecordInput,
  type RecordSetting,
  recordKey,
} from "../../record.ts";
import type { OpaqueRecord, ZoneListing } from "../../zone.ts";
import { ProviderError } from "./errors.ts";

/** One entry of a zone as the provider stores it: a readable record, or an opaque one. */
export interface Row<Raw = null> {
  /** The provider's key; empty where entries have none. */
  readonly id: string;
  /** The entry as the provider sent it, for APIs that need it back unchanged. */
  readonly raw: Raw;
  readonly record: DnsRecord | null;
  readonly opaque: OpaqueRecord | null;
  /** The provider manages it, or it has settings beside its value; its set is never rewritten. */
  readonly isLocked: boolean;
  /** An opaque entry's record, where only a key is missing by which it could be changed. */
  readonly unkeyed?: DnsRecord;
}

export interface RowInput<Raw> {
  /**
   * The key by which the provider changes the entry, as it was read; null where entries have none
   * and are changed by what they contain. An entry whose key cannot be used is opaque and locked.
   */
  readonly id: string | null;
  readonly raw: Raw;
  readonly zone: string;
  /** Absolute name in any spelling; null values mark data that could not be taken apart. */
  readonly record: Omit<RecordInput, "value"> & { readonly value: string | null };
  /** Why the entry must not be changed, if so. */
  readonly lockedBecause?: string | null;
  /** What is replaced with the entry, and only with consent. */
  readonly setting?: RecordSetting | null;
}

const aliasTypes: readonly string[] = ["CNAME", "ALIAS", "ANAME", "DNAME"];
const redirectTypes = /^(?:URL|URL301|FRAME|REDIRECT|FLATTEN|PULLZONE|SCRIPT|NETLIFY|NETLIFYV6)$/;

export function readRow<Raw>(input: RowInput<Raw>): Row<Raw> {
  const { raw, zone, lockedBecause = null, setting = null } = input;
  const id = input.id ?? "";
  const name = normalizeName(input.record.name) ?? input.record.name.toLowerCase();
  const given = input.record.type.toUpperCase();
  const type = name === zone && given === "CNAME" ? "ALIAS" : given;
  const value = input.record.value;
  const parsed = value === null ? null : parseRecord({ ...input.record, name, type, value });
  if (lockedBecause === null && parsed?.ok === true) {
    const record = setting === null ? parsed.record : { ...parsed.record, setting };
    if (input.id === null || isUsableKey(id)) {
      return { id, raw, record, opaque: null, isLocked: false };
    }
    const opaque = describe(record, "the provider shows no key by which it could be changed");
    return { id: "", raw, record: null, opaque, isLocked: true, unkeyed: record };
  }
  const note = lockedBecause ?? noteFor(type);
  const opaque = describe({ name, type, value: value ?? "" }, note);
  return { id, raw, record: null, opaque, isLocked: lockedBecause !== null };
}

/**
 * Keys are put into paths, queries and bodies. One that is empty, or would be read as another path,
 * could make the request one for all entries.
 */
export function isUsableKey(id: string): boolean {
  return /^[\w.~:=+@-]+$/.test(id) && !/^\.+$/.test(id);
}

function describe(
  { name, type, value }: Pick<OpaqueRecord, "name" | "type" | "value">,
  note: string,
): OpaqueRecord {
  const isAddress =
    type === "A" || type === "AAAA" || aliasTypes.includes(type) || redirectTypes.test(type);
  return { name, type, value, note, isAddress };
}

function noteFor(type: string): string {
  return isRecordType(type)
    ? "its value is not one that this service can read"
    : "records of this type can only be changed at the provider";
}

export function listRows(rows: readonly Row<unknown>[]): ZoneListing {
  return {
    records: rows.flatMap(({ record }) => record ?? []),
    opaque: rows.flatMap(({ opaque }) => opaque ?? []),
  };
}

/**
 * The zone's NS set, which names its servers where no API does. Throws `auth` where other entries
 * are shown without it; of an empty listing nothing is concluded.
 */
export function apexServers(rows: readonly Row<unknown>[], zone: string): readonly string[] {
  const servers = rows.flatMap(({ record }) =>
    record?.type === "NS" && record.name === zone ? [record.value] : [],
  );
  if (rows.length > 0 && servers.length === 0) {
    throw new ProviderError("auth", `The NS records of ${zone} are not shown.`);
  }
  return servers;
}

export interface RecordEdits<Raw> {
  readonly remove: readonly Row<Raw>[];
  readonly change: readonly { readonly row: Row<Raw>; readonly record: DnsRecord }[];
  readonly add: readonly DnsRecord[];
  /** The rows that stay as they are. */
  readonly retain: readonly Row<Raw>[];
}

/**
 * The edits of a plan against the current zone, for APIs that write single records: an absent
 * record is not removed, an existing one is not added, and a removal beside an addition of the same
 * name and type becomes a change in place, as does another TTL. Throws `conflict` where an entry
 * that is to be removed has no key.
 */
export function recordEdits<Raw>(
  plan: Plan,
  rows: readonly Row<Raw>[],
  minimumTtlSeconds: number,
): RecordEdits<Raw> {
  const edits = planEdits(plan);
  const doomed = new Set(edits.remove.map(recordKey));
  const remove = rows.filter(({ record }) => record !== null && doomed.has(recordKey(record)));
  refuseUnkeyed(rows, new Set([...doomed, ...edits.retime.map(recordKey)]));
  const present = new Set(rows.flatMap(({ record, unkeyed }) => keysFor(record ?? unkeyed)));
  // A record that was to get another TTL is gone after a deletion whose addition failed.
  const missing = [...edits.add, ...edits.retime].filter(
    (record) => !present.has(recordKey(record)),
  );
  refuseClash(
    missing,
    rows.filter((row) => !remove.includes(row)),
  );
  const change: { row: Row<Raw>; record: DnsRecord }[] = [];
  const add: DnsRecord[] = [];
  for (const record of missing.map((one) => withTtl(one, minimumTtlSeconds))) {
    const at = remove.findIndex((row) => isSameSet(row.record, record));
    const [row] = at === -1 ? [] : remove.splice(at, 1);
    if (row === undefined) add.push(record);
    else change.push({ row, record });
  }
  change.push(...retimes(edits.retime, rows, minimumTtlSeconds));
  const going = new Set([...remove, ...change.map(({ row }) => row)]);
  return { remove, change, add, retain: rows.filter((row) => !going.has(row)) };
}

/** Records that are there with another TTL. */
function retimes<Raw>(
  requested: readonly DnsRecord[],
  rows: readonly Row<Raw>[],
  minimumTtlSeconds: number,
): RecordEdits<Raw>["change"] {
  return requested
    .map((record) => withTtl(record, minimumTtlSeconds))
    .flatMap((record) =>
      rows
        .filter((row) => row.record !== null && recordKey(row.record) === recordKey(record))
        .filter((row) => row.record?.ttl !== record.ttl)
        .map((row) => ({ row, record })),
    );
}

export interface SetEdit<Raw> {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  /** The whole set before. */
  readonly before: readonly Row<Raw>[];
  /** The rows that stay unchanged. */
  readonly retain: readonly Row<Raw>[];
  readonly add: readonly DnsRecord[];
}

/**
 * The same for APIs that write whole sets. Deleted sets come first, so that a CNAME can take their
 * name.
 */
export function setEdits<Raw>(
  plan: Plan,
  rows: readonly Row<Raw>[],
  minimumTtlSeconds: number,
): readonly SetEdit<Raw>[] {
  const { remove, change, add } = recordEdits(plan, rows, minimumTtlSeconds);
  const going = new Set([...remove, ...change.map(({ row }) => row)]);
  const coming = [...change.map(({ record }) => record), ...add];
  const touched = new Map(
    [...[...going].flatMap(({ record }) => record ?? []), ...coming].map((record) => [
      `${record.name} ${record.type}`,
      record,
    ]),
  );
  const sets = [...touched.values()].map(({ name, type }): SetEdit<Raw> => {
    const before = rows.filter((row) => isSameSet(row.record ?? row.opaque, { name, type }));
    refuseLocked(before);
    const retain = before.filter((row) => !going.has(row));
    const added = coming.filter((record) => isSameSet(record, { name, type }));
    // One set has one TTL (RFC 2181 §5.2); values of others retain theirs.
    const ttl = retain[0]?.record?.ttl ?? added[0]?.ttl ?? minimumTtlSeconds;
    return { name, type, ttl, before, retain, add: added };
  });
  return sets.sort((a, b) => sizeAfter(a) - sizeAfter(b));
}

function sizeAfter({ retain, add }: SetEdit<unknown>): number {
  return Math.min(1, retain.length + add.length);
}

function isSameSet(
  a: { readonly name: string; readonly type: string } | null,
  b: { readonly name: string; readonly type: string },
): boolean {
  return a !== null && a.name === b.name && a.type === b.type;
}

function withTtl(record: DnsRecord, minimum: number): DnsRecord {
  return record.ttl >= minimum ? record : { ...record, ttl: minimum };
}

function keysFor(record: DnsRecord | undefined): readonly string[] {
  return record === undefined ? [] : [recordKey(record)];
}

function refuseUnkeyed(rows: readonly Row<unknown>[], doomed: ReadonlySet<string>): void {
  const found = rows.find(({ unkeyed }) => keysFor(unkeyed).some((key) => doomed.has(key)));
  if (found !== undefined) refuseLocked([found]);
}

/** RFC 1034 §3.6.2. Refuses, before the first write, a clash that arose after planning. */
function refuseClash(add: readonly DnsRecord[], staying: readonly Row<unknown>[]): void {
  for (const record of add) {
    const others = [...staying.map((row) => row.record ?? row.opaque), ...add].filter(
      (one) => one?.name === record.name && one !== record,
    );
    const clash = others.find((one) => record.type === "CNAME" || one?.type === "CNAME");
    if (clash?.type !== undefined) {
      throw new ProviderError(
        "conflict",
        `${record.name} has a ${clash.type} record, beside which no ${record.type} record can be.`,
      );
    }
  }
}

function refuseLocked(rows: readonly Row<unknown>[]): void {
  const locked = rows.find(({ isLocked }) => isLocked)?.opaque;
  if (locked === undefined || locked === null) return;
  const { name, type, note } = locked;
  throw new ProviderError("conflict", `${name} ${type} cannot be changed: ${note}.`);
}

export interface TextLimits {
  /** Matches a text that the provider would refuse or change. */
  readonly forbidden: RegExp;
  readonly mostCharacters: number;
}

/** Refuses, before the first write, a text that the provider would refuse or change. */
export function requireTexts(records: readonly DnsRecord[], limits: TextLimits): void {
  for (const { type, name, value } of records) {
    if (type !== "TXT") continue;
    if (limits.forbidden.test(value) || value.length > limits.mostCharacters) {
      throw new ProviderError(
        "unsupported",
        `The provider cannot store the text of ${name}: it is too long or has a character that is refused there.`,
      );
    }
  }
}
