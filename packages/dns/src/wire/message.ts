import { type QueryType, type Rdata, readRdata, typeCodes } from "./rdata.ts";
import { createReader, type KnownName, MalformedMessage, type Reader } from "./reader.ts";

/** What a datagram may carry without being fragmented on common paths (DNS Flag Day 2020). */
const ednsUdpPayloadBytes = 1_232;
const headerBytes = 12;
const classIn = 1;
const typeOpt = 41;
const maxNameOctets = 255;
const maxLabelOctets = 63;
/** Of each section; what follows is skipped. A message of 64 KB could hold 4,000 addresses. */
const maxRecords = 200;
const [upperA, lowerA, lowerZ] = [0x41, 0x61, 0x7a];

export interface Query {
  readonly id: number;
  /** As sent; the letter case is preserved. */
  readonly name: string;
  readonly type: QueryType;
  readonly recursionDesired: boolean;
  readonly checkingDisabled: boolean;
  readonly edns: boolean;
  /** RFC 3225: the response is to carry signatures and proofs of absence. Needs `edns`. */
  readonly dnssecOk?: boolean;
}

/** A record as it was read, in the canonical form of DnsRecord. */
export interface AnswerRecord {
  readonly name: string;
  readonly type: QueryType;
  readonly value: string;
  readonly ttl: number;
  readonly priority: number | null;
}

/** A response whose id and question belong to the query it was decoded against. */
export interface Message {
  readonly rcode: number;
  readonly authoritative: boolean;
  readonly truncated: boolean;
  readonly authenticData: boolean;
  readonly answers: readonly AnswerRecord[];
  readonly authorities: readonly AnswerRecord[];
  readonly additionals: readonly AnswerRecord[];
  /** The message itself, for what the sections leave out. */
  readonly packet: Buffer;
}

/**
 * What a packet is to a query:
 * - `unrelated`: not an answer to it; the client waits on
 * - `case_differs`: all matches but the letter case of the name, so 0x20 does not confirm it
 * - `questionless`: a bare error from a server that did not understand the query
 */
export type Decoded =
  | { readonly kind: "answer"; readonly message: Message }
  | { readonly kind: "unrelated" | "case_differs" | "questionless" | "malformed" };

/** RFC 6891 §6.1.2: root name, type OPT, payload size, then code, version and flags all zero. */
const optRecord = Buffer.from([
  0,
  0,
  typeOpt,
  ednsUdpPayloadBytes >> 8,
  ednsUdpPayloadBytes & 0xff,
  0,
  0,
  0,
  0,
  0,
  0,
]);
/** The octet of the OPT record whose top bit is the DO flag. */
const dnssecOkAt = 7;

/** Throws RangeError for a name that no message can carry. */
export function encodeQuery(query: Query): Buffer {
  const nameBytes = query.name === "." ? 1 : query.name.length + 2;
  if (nameBytes > maxNameOctets) throw new RangeError("A name has at most 255 octets");
  const questionEnd = headerBytes + nameBytes + 4;
  const bytes = Buffer.allocUnsafe(questionEnd + (query.edns ? optRecord.length : 0));
  bytes.fill(0, 2, headerBytes);
  bytes.writeUInt16BE(query.id, 0);
  bytes[2] = query.recursionDesired ? 1 : 0;
  bytes[3] = query.checkingDisabled ? 1 << 4 : 0;
  bytes[5] = 1;
  if (query.name !== ".") writeLabels(bytes, query.name);
  bytes[questionEnd - 5] = 0;
  bytes.writeUInt16BE(typeCodes[query.type], questionEnd - 4);
  bytes.writeUInt16BE(classIn, questionEnd - 2);
  if (query.edns) {
    bytes[11] = 1;
    optRecord.copy(bytes, questionEnd);
    if (query.dnssecOk === true) bytes[questionEnd + dnssecOkAt] = 0x80;
  }
  return bytes;
}

/** The text is written one octet further on: each dot, and the start, becomes a length octet. */
function writeLabels(bytes: Buffer, name: string): void {
  bytes.write(name, headerBytes + 1, "latin1");
  for (let start = 0; start <= name.length; ) {
    const dot = name.indexOf(".", start);
    const end = dot === -1 ? name.length : dot;
    if (end === start || end - start > maxLabelOctets) {
      throw new RangeError("A label has 1 to 63 octets");
    }
    bytes[headerBytes + start] = end - start;
    start = end + 1;
  }
}

/** Makes each letter of the question's name upper-case where `bits` has an odd octet for it. */
export function mixCase(query: Buffer, bits: Uint8Array): void {
  for (let index = 0; index < bits.length; index += 1) {
    const at = headerBytes + 1 + index;
    const octet = query[at] ?? 0;
    // A length among the labels is at most 63 and so never within the letters.
    const isLetter = octet >= lowerA && octet <= lowerZ;
    if (isLetter && ((bits[index] ?? 0) & 1) === 1) query[at] = octet - (lowerA - upperA);
  }
}

/**
 * Reads `packet` as the response to `query` (its encoded bytes). Never throws. `asked`, where
 * given, is the canonical name in the query; it saves decoding it again for every record.
 */
export function decodeResponse(query: Buffer, packet: Buffer, asked?: string): Decoded {
  if (packet.length < headerBytes) return { kind: "unrelated" };
  const flags = packet.readUInt16BE(2);
  const [isResponse, opcode] = [(flags & 0x8000) !== 0, (flags >> 11) & 0xf];
  if (packet.readUInt16BE(0) !== query.readUInt16BE(0) || !isResponse || opcode !== 0) {
    return { kind: "unrelated" };
  }
  const questions = packet.readUInt16BE(4);
  if (questions === 0) return { kind: (flags & 0xf) === 0 ? "unrelated" : "questionless" };
  const end = questionEnd(query);
  if (questions !== 1 || packet.length < end) return { kind: "unrelated" };
  if (query.compare(packet, headerBytes, end, headerBytes, end) !== 0) {
    const isSame = lowered(query, end) === lowered(packet, end);
    return { kind: isSame ? "case_differs" : "unrelated" };
  }
  const known = asked === undefined ? null : { offset: headerBytes, name: asked };
  return decodeSections(packet, flags, end, known);
}

/**
 * Where the question ends: name, type and class, which the response must repeat exactly as sent.
 */
function questionEnd(query: Buffer): number {
  let at = headerBytes;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) at += length + 1;
  return at + 5;
}

function lowered(message: Buffer, end: number): string {
  const question = message.toString("latin1", headerBytes, end);
  return question.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function decodeSections(
  packet: Buffer,
  flags: number,
  start: number,
  known: KnownName | null,
): Decoded {
  try {
    const reader = createReader(packet, start, packet.length, known);
    const edns = { extendedRcode: 0 };
    const section = (countAt: number) =>
      readSection(packet, reader, packet.readUInt16BE(countAt), edns);
    const [answers, authorities, additionals] = [section(6), section(8), section(10)];
    return {
      kind: "answer",
      message: {
        // RFC 6891 §6.1.3: the upper eight bits of the code are in the OPT record.
        rcode: (edns.extendedRcode << 4) | (flags & 0xf),
        authoritative: (flags & 0x400) !== 0,
        truncated: (flags & 0x200) !== 0,
        authenticData: (flags & 0x20) !== 0,
        answers,
        authorities,
        additionals,
        packet,
      },
    };
  } catch (error) {
    if (!(error instanceof MalformedMessage)) throw error;
    // RFC 2181 §9: a truncated message may end anywhere; only its flag is of use.
    return (flags & 0x200) === 0
      ? { kind: "malformed" }
      : { kind: "answer", message: truncatedMessage };
  }
}

const truncatedMessage: Message = {
  rcode: 0,
  authoritative: false,
  truncated: true,
  authenticData: false,
  answers: [],
  authorities: [],
  additionals: [],
  packet: Buffer.alloc(0),
};

const typesByCode: ReadonlyMap<number, QueryType> = new Map(
  typedEntries(typeCodes).map(([type, code]) => [code, type]),
);

/** Object.entries with the key type; typeCodes is a literal with exactly these keys. */
function typedEntries(codes: Readonly<Record<QueryType, number>>): [QueryType, number][] {
  return Object.entries(codes) as [QueryType, number][];
}

/** Skips records of other classes, of types outside QueryType, and those beyond the limit. */
function readSection(
  packet: Buffer,
  reader: Reader,
  count: number,
  edns: { extendedRcode: number },
): readonly AnswerRecord[] {
  const records: AnswerRecord[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = reader.name();
    const code = reader.u16();
    const recordClass = reader.u16();
    const ttl = reader.u32();
    const length = reader.u16();
    const start = reader.offset();
    reader.skip(length);
    if (code === typeOpt) edns.extendedRcode = ttl >>> 24;
    const type = typesByCode.get(code);
    if (type === undefined || recordClass !== classIn || records.length === maxRecords) continue;
    const data: Rdata = readRdata(type, createReader(packet, start, start + length), length);
    // RFC 2181 §8: a TTL with the top bit set counts as zero.
    records.push({ name, type, ttl: ttl > 0x7fffffff ? 0 : ttl, ...data });
  }
  return records;
}
