import { createReader, MalformedMessage, type Reader } from "./reader.ts";

/** Of the query's OPT record (RFC 6891). */
export interface RequestEdns {
  readonly version: number;
  readonly udpPayloadBytes: number;
  readonly dnssecOk: boolean;
}

/** A query as a server reads it. */
export interface Request {
  /** Lower-case, odd octets escaped. */
  readonly name: string;
  readonly type: number;
  readonly class: number;
  /** Where the question ends; the response repeats its octets, letter case included. */
  readonly questionEnd: number;
  readonly edns: RequestEdns | null;
}

/**
 * What a packet is to a server:
 * - `ignored`: too short, or itself a response; an answer could start a loop between two servers
 * - `unsupported`: another operation than a query
 * - `malformed`: cannot be read, or asks several questions at once
 */
export type DecodedRequest =
  | { readonly kind: "query"; readonly request: Request }
  | { readonly kind: "ignored" | "unsupported" | "malformed" };

const headerBytes = 12;
const typeOpt = 41;
/** Records behind the question of a real query: an OPT record, a signature, little else. */
const maxRecords = 8;

/** Never throws. */
export function decodeRequest(packet: Buffer): DecodedRequest {
  if (packet.length < headerBytes) return { kind: "ignored" };
  const flags = packet.readUInt16BE(2);
  if ((flags & 0x8000) !== 0) return { kind: "ignored" };
  if (((flags >> 11) & 0xf) !== 0) return { kind: "unsupported" };
  if (packet.readUInt16BE(4) !== 1) return { kind: "malformed" };
  try {
    return { kind: "query", request: readRequest(packet) };
  } catch (error) {
    if (error instanceof MalformedMessage) return { kind: "malformed" };
    throw error;
  }
}

function readRequest(packet: Buffer): Request {
  const reader = createReader(packet, headerBytes, packet.length);
  const name = reader.name();
  const type = reader.u16();
  const recordClass = reader.u16();
  const questionEnd = reader.offset();
  const counts = [6, 8, 10].map((at) => packet.readUInt16BE(at));
  const records = counts.reduce((sum, count) => sum + count, 0);
  if (records > maxRecords) throw new MalformedMessage("a query has no such number of records");
  return { name, type, class: recordClass, questionEnd, edns: readEdns(reader, records) };
}

function readEdns(reader: Reader, records: number): RequestEdns | null {
  let edns: RequestEdns | null = null;
  for (let index = 0; index < records; index += 1) {
    const name = reader.name();
    const type = reader.u16();
    const udpPayloadBytes = reader.u16();
    const ttl = reader.u32();
    reader.skip(reader.u16());
    if (type !== typeOpt) continue;
    // RFC 6891 §6.1.1: one OPT record, owned by the root.
    if (edns !== null || name !== ".") throw new MalformedMessage("a second or stray OPT record");
    edns = { version: (ttl >>> 16) & 0xff, udpPayloadBytes, dnssecOk: (ttl & 0x8000) !== 0 };
  }
  return edns;
}
