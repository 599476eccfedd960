import { encode, type OptAnswer } from "dns-packet";
import { type Rdata, readRdata, TYPE_CODES } from "./rdata.ts";
import type { AnswerRecord, QueryType } from "./resolver.ts";
import { createReader, MalformedMessage, type Reader } from "./wire-read.ts";

/** What a datagram may carry without being fragmented on common paths (DNS Flag Day 2020). */
const EDNS_UDP_PAYLOAD_BYTES = 1_232;
const HEADER_BYTES = 12;
const CLASS_IN = 1;
const TYPE_OPT = 41;

export interface Query {
  readonly id: number;
  /** As it goes on the wire: the letter case is kept. */
  readonly name: string;
  readonly type: QueryType;
  readonly recursionDesired: boolean;
  readonly checkingDisabled: boolean;
  readonly edns: boolean;
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
}

/**
 * What a packet is to a query:
 * - `foreign`: not an answer to it; whoever sent it, keep waiting
 * - `case_differs`: all fits but the letter case of the name, so 0x20 does not vouch for it
 * - `questionless`: a bare error from a server that did not understand the query
 */
export type Decoded =
  | { readonly kind: "answer"; readonly message: Message }
  | { readonly kind: "foreign" | "case_differs" | "questionless" | "malformed" };

export function encodeQuery(query: Query): Buffer {
  const flags = (query.recursionDesired ? 1 << 8 : 0) | (query.checkingDisabled ? 1 << 4 : 0);
  return encode({
    type: "query",
    id: query.id,
    flags,
    questions: [{ name: query.name, type: query.type, class: "IN" }],
    additionals: query.edns ? [ednsOption()] : [],
  });
}

function ednsOption(): OptAnswer {
  return {
    type: "OPT",
    name: ".",
    udpPayloadSize: EDNS_UDP_PAYLOAD_BYTES,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
}

/** Reads `packet` as the response to `query` (its encoded bytes). Never throws. */
export function decodeResponse(query: Buffer, packet: Buffer): Decoded {
  if (packet.length < HEADER_BYTES) return { kind: "foreign" };
  const flags = packet.readUInt16BE(2);
  const [isResponse, opcode] = [(flags & 0x8000) !== 0, (flags >> 11) & 0xf];
  if (packet.readUInt16BE(0) !== query.readUInt16BE(0) || !isResponse || opcode !== 0) {
    return { kind: "foreign" };
  }
  const questions = packet.readUInt16BE(4);
  if (questions === 0) return { kind: (flags & 0xf) === 0 ? "foreign" : "questionless" };
  const asked = questionBytes(query);
  const echoed = packet.subarray(HEADER_BYTES, HEADER_BYTES + asked.length);
  if (questions !== 1 || lowered(asked) !== lowered(echoed)) return { kind: "foreign" };
  if (!asked.equals(echoed)) return { kind: "case_differs" };
  return decodeSections(packet, flags, HEADER_BYTES + asked.length);
}

/** Name, type and class exactly as sent: whoever did not see the query cannot know the case. */
function questionBytes(query: Buffer): Buffer {
  const reader = createReader(query, HEADER_BYTES, query.length);
  reader.name();
  reader.bytes(4);
  return query.subarray(HEADER_BYTES, reader.offset());
}

function lowered(bytes: Buffer): string {
  return bytes.toString("latin1").replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function decodeSections(packet: Buffer, flags: number, start: number): Decoded {
  try {
    const reader = createReader(packet, start, packet.length);
    const edns = { extendedRcode: 0 };
    const section = (countAt: number) =>
      readSection(packet, reader, packet.readUInt16BE(countAt), edns);
    const [answers, authorities, additionals] = [section(6), section(8), section(10)];
    return {
      kind: "answer",
      message: {
        // RFC 6891 §6.1.3: the upper eight bits of the code stand in the OPT record.
        rcode: (edns.extendedRcode << 4) | (flags & 0xf),
        authoritative: (flags & 0x400) !== 0,
        truncated: (flags & 0x200) !== 0,
        authenticData: (flags & 0x20) !== 0,
        answers,
        authorities,
        additionals,
      },
    };
  } catch (error) {
    if (!(error instanceof MalformedMessage)) throw error;
    // RFC 2181 §9: a truncated message may end anywhere; only its flag is of use.
    return (flags & 0x200) === 0 ? { kind: "malformed" } : { kind: "answer", message: CUT_OFF };
  }
}

const CUT_OFF: Message = {
  rcode: 0,
  authoritative: false,
  truncated: true,
  authenticData: false,
  answers: [],
  authorities: [],
  additionals: [],
};

const TYPES_BY_CODE: ReadonlyMap<number, QueryType> = new Map(
  typedEntries(TYPE_CODES).map(([type, code]) => [code, type]),
);

/** Object.entries with the key type kept; TYPE_CODES is a literal with exactly these keys. */
function typedEntries(codes: Readonly<Record<QueryType, number>>): [QueryType, number][] {
  return Object.entries(codes) as [QueryType, number][];
}

/** Records of other classes and of types that nobody asks for are passed over, not judged. */
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
    reader.bytes(length);
    if (code === TYPE_OPT) edns.extendedRcode = ttl >>> 24;
    const type = TYPES_BY_CODE.get(code);
    if (type === undefined || recordClass !== CLASS_IN) continue;
    const data: Rdata = readRdata(type, createReader(packet, start, start + length), length);
    // RFC 2181 §8: a TTL with the top bit set counts as zero.
    records.push({ name, type, ttl: ttl > 0x7fffffff ? 0 : ttl, ...data });
  }
  return records;
}
