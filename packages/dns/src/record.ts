import { normalizeName } from "./name.ts";
import { parseValue } from "./record-value.ts";

/** The types that the service writes and compares. ALIAS is a provider's flattened CNAME. */
export const RECORD_TYPES = [
  "A",
  "AAAA",
  "CNAME",
  "ALIAS",
  "TXT",
  "MX",
  "CAA",
  "NS",
  "SRV",
] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/**
 * One resource record in canonical form, so that equality of records is equality of strings.
 * - `name`: absolute, lower-case A-label, no trailing dot.
 * - `value`: host targets like `name` (`.` is the root); TXT is the joined raw text, unquoted;
 *   CAA is `0 issue "ca.example"`; SRV is `weight port target`.
 * - `priority`: MX preference or SRV priority, null for every other type.
 */
export interface DnsRecord {
  readonly name: string;
  readonly type: RecordType;
  readonly value: string;
  readonly ttl: number;
  readonly priority: number | null;
}

export interface RecordInput {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
  readonly priority?: number | null | undefined;
}

export type ParsedRecord =
  | { readonly ok: true; readonly record: DnsRecord }
  | {
      readonly ok: false;
      readonly field: "name" | "type" | "value" | "ttl" | "priority";
      readonly message: string;
    };

/** RFC 2181 §8: a TTL is a 31-bit number. */
const MAX_TTL_SECONDS = 2_147_483_647;

export function isRecordType(type: string): type is RecordType {
  return (RECORD_TYPES as readonly string[]).includes(type);
}

export function hasPriority(type: RecordType): boolean {
  return type === "MX" || type === "SRV";
}

/** Checks every field and gives the canonical record; `type` is accepted in any case. */
export function parseRecord(input: RecordInput): ParsedRecord {
  const type = input.type.toUpperCase();
  if (!isRecordType(type))
    return wrong("type", `Record type must be one of ${RECORD_TYPES.join(", ")}.`);
  const name = normalizeName(input.name);
  if (name === null) return wrong("name", "The record's name is not a valid DNS name.");
  if (!isIntegerWithin(input.ttl, MAX_TTL_SECONDS)) {
    return wrong("ttl", "The TTL must be a whole number of seconds, 0 to 2147483647.");
  }
  const priority = input.priority ?? null;
  const priorityProblem = refusePriority(type, priority);
  if (priorityProblem !== null) return wrong("priority", priorityProblem);
  const value = parseValue(type, input.value);
  if (!value.ok) return wrong("value", value.message);
  return { ok: true, record: { name, type, value: value.value, ttl: input.ttl, priority } };
}

function wrong(field: (ParsedRecord & { ok: false })["field"], message: string): ParsedRecord {
  return { ok: false, field, message };
}

function refusePriority(type: RecordType, priority: number | null): string | null {
  if (!hasPriority(type)) return priority === null ? null : `${type} records have no priority.`;
  if (priority !== null && isIntegerWithin(priority, 65_535)) return null;
  return `${type} records need a priority, 0 to 65535.`;
}

function isIntegerWithin(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= max;
}

/** Same data at the same name. The TTL is left out: it is advice to caches, not content. */
export function sameRecord(a: DnsRecord, b: DnsRecord): boolean {
  return recordKey(a) === recordKey(b);
}

/** A key under which equal records (TTL aside) collide and different ones do not. */
export function recordKey(record: DnsRecord): string {
  return JSON.stringify([record.name, record.type, record.priority, record.value]);
}

/** One line as in a zone file, for logs and people. */
export function printRecord(record: DnsRecord): string {
  const priority = record.priority === null ? "" : `${record.priority} `;
  return `${record.name} ${record.ttl} ${record.type} ${priority}${record.value}`;
}
