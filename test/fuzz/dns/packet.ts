import fc from "fast-check";
import { type Mutation, mutated, mutations } from "../tokens/mutation.ts";

/** A name on the wire: labels, then an end, or a pointer that may lead anywhere. */
interface HostileName {
  readonly labels: readonly string[];
  /**
   * The offset that a pointer at the end leads to, counted from the message or from the name
   * itself.
   */
  readonly pointer: number | null;
  readonly isRelative: boolean;
}

interface HostileRecord {
  readonly section: 0 | 1 | 2;
  readonly owner: HostileName;
  readonly type: number;
  readonly recordClass: number;
  readonly ttl: number;
  /** In latin1. */
  readonly data: string;
  readonly target: HostileName | null;
  /** Added to the length that the record states. */
  readonly lengthError: number;
}

/** A response to a question, right in its head unless `mutations` reach it. */
export interface HostileMessage {
  readonly flags: number;
  readonly records: readonly HostileRecord[];
  /** Added to the counts in the head. */
  readonly countErrors: readonly number[];
  readonly mutations: readonly Mutation[];
  /** How often the whole records section is repeated. */
  readonly repeat: number;
  /** Over TCP: added to the length before the message. */
  readonly frameError: number;
}

const names: fc.Arbitrary<HostileName> = fc.record<HostileName>({
  labels: fc.array(fc.constantFrom("a", "b", "www", "A", "\0", ".", "\\", "x".repeat(63)), {
    maxLength: 6,
  }),
  pointer: fc.option(fc.oneof(fc.constantFrom(12, 0, 2), fc.integer({ min: -40, max: 600 }))),
  isRelative: fc.boolean(),
});

const types = [1, 2, 5, 6, 12, 15, 16, 28, 33, 39, 41, 43, 46, 47, 48, 50, 64, 65, 257, 0, 65_535];

const records: fc.Arbitrary<HostileRecord> = fc.record<HostileRecord>({
  section: fc.constantFrom(...([0, 0, 0, 1, 2] as const)),
  owner: fc.oneof(fc.constant({ labels: [], pointer: 12, isRelative: false }), names),
  type: fc.constantFrom(...types),
  recordClass: fc.constantFrom(1, 1, 1, 1, 3, 255, 0),
  ttl: fc.constantFrom(0, 60, 0x7fffffff, 0x80000000, 0xffffffff),
  data: fc.oneof(
    fc.constantFrom("", "\x7f\0\0\x01", "\x04text", "\0\x05issueca.test", "\xff", "\0".repeat(16)),
    fc.string({ unit: "binary-ascii", maxLength: 40 }),
  ),
  target: fc.option(names, { freq: 2 }),
  lengthError: fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -8, max: 300 }) },
  ),
});

export const messages: fc.Arbitrary<HostileMessage> = fc.record<HostileMessage>({
  flags: fc.constantFrom(0x8400, 0x8400, 0x8180, 0x8600, 0x8403, 0x8402, 0x0400, 0xffff),
  records: fc.array(records, { maxLength: 6 }),
  countErrors: fc.constantFrom(
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [1, 0, 0],
    [-1, 0, 0],
    [60_000, 0, 0],
  ),
  mutations: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: mutations },
  ),
  repeat: fc.constantFrom(1, 1, 1, 1, 50, 2_000),
  frameError: fc.constantFrom(0, 0, 0, 0, 1, -1, 60_000),
});

const maxMessageBytes = 65_535;

/** The message as an answer to the encoded query; the first octets are those of the query. */
export function packetFor(query: Buffer, message: HostileMessage): Buffer {
  const question = query.subarray(12, questionEnd(query));
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(message.flags & 0xffff, 2);
  head.writeUInt16BE(1, 4);
  const parts: Buffer[] = [head, question];
  let length = head.length + question.length;
  const counts = [0, 0, 0];
  for (const section of [0, 1, 2] as const) {
    const some = message.records.filter((one) => one.section === section);
    for (let round = 0; round < message.repeat; round += 1) {
      for (const record of some) {
        const bytes = recordBytes(record, length);
        if (length + bytes.length > maxMessageBytes) break;
        parts.push(bytes);
        length += bytes.length;
        counts[section] = (counts[section] ?? 0) + 1;
      }
    }
    const stated = (counts[section] ?? 0) + (message.countErrors[section] ?? 0);
    head.writeUInt16BE(Math.max(0, Math.min(65_535, stated)), 6 + 2 * section);
  }
  const whole = Buffer.concat(parts);
  if (message.mutations.length === 0) return whole;
  return Buffer.from(mutated(whole.toString("latin1"), message.mutations), "latin1");
}

function recordBytes(record: HostileRecord, at: number): Buffer {
  const owner = nameBytes(record.owner, at);
  const fixed = Buffer.alloc(10);
  const target =
    record.target === null ? Buffer.alloc(0) : nameBytes(record.target, at + owner.length + 10);
  const data = Buffer.concat([Buffer.from(record.data, "latin1"), target]);
  fixed.writeUInt16BE(record.type, 0);
  fixed.writeUInt16BE(record.recordClass, 2);
  fixed.writeUInt32BE(record.ttl, 4);
  fixed.writeUInt16BE(Math.max(0, Math.min(65_535, data.length + record.lengthError)), 8);
  return Buffer.concat([owner, fixed, data]);
}

function nameBytes({ labels, pointer, isRelative }: HostileName, at: number): Buffer {
  const parts = labels.map((label) =>
    Buffer.concat([Buffer.from([label.length]), Buffer.from(label, "latin1")]),
  );
  if (pointer === null) return Buffer.concat([...parts, Buffer.from([0])]);
  const target = Math.max(0, Math.min(0x3fff, isRelative ? at + pointer : pointer));
  return Buffer.concat([...parts, Buffer.from([0xc0 | (target >> 8), target & 0xff])]);
}

export function questionEnd(query: Buffer): number {
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) at += length + 1;
  return at + 5;
}
