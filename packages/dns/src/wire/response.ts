import type { Request } from "./request.ts";

/** What a datagram may carry without being fragmented on common paths (DNS Flag Day 2020). */
export const maxUdpPayloadBytes = 1_232;
/** RFC 1035 §4.2.1: of a datagram without EDNS. */
const plainUdpPayloadBytes = 512;
const headerBytes = 12;
const optBytes = 11;
const classIn = 1;

export const rcodes = {
  noError: 0,
  formatError: 1,
  nameError: 3,
  notImplemented: 4,
  refused: 5,
  badVersion: 16,
} as const;
export type Rcode = (typeof rcodes)[keyof typeof rcodes];

/** A record of a response. Its owner is the question's name from this octet of the message on. */
export interface ResponseRecord {
  readonly ownerAt: number;
  readonly type: number;
  readonly ttl: number;
  readonly data: Buffer;
}

export interface Response {
  readonly rcode: Rcode;
  readonly authoritative: boolean;
  readonly answers: readonly ResponseRecord[];
  readonly authorities: readonly ResponseRecord[];
}

/**
 * The response to a query that could be read. Over UDP a response that does not fit is sent without
 * records and with TC set, so that the client asks again over TCP.
 */
export function encodeResponse(
  packet: Buffer,
  request: Request,
  response: Response,
  transport: "udp" | "tcp",
): Buffer {
  const { edns, questionEnd } = request;
  const records = [...response.answers, ...response.authorities];
  const recordBytes = records.reduce((sum, { data }) => sum + 12 + data.length, 0);
  const total = questionEnd + recordBytes + (edns === null ? 0 : optBytes);
  const isTruncated = total > payloadLimit(request, transport);
  const bytes = Buffer.allocUnsafe(isTruncated ? total - recordBytes : total);
  packet.copy(bytes, 0, 0, questionEnd);
  writeHeader(bytes, response, isTruncated);
  bytes.writeUInt16BE(isTruncated ? 0 : response.answers.length, 6);
  bytes.writeUInt16BE(isTruncated ? 0 : response.authorities.length, 8);
  bytes.writeUInt16BE(edns === null ? 0 : 1, 10);
  let at = questionEnd;
  if (!isTruncated) for (const record of records) at = writeRecord(bytes, at, record);
  if (edns !== null) writeOpt(bytes, at, response.rcode, edns.dnssecOk);
  return bytes;
}

function payloadLimit({ edns }: Request, transport: "udp" | "tcp"): number {
  if (transport === "tcp") return 65_535;
  if (edns === null) return plainUdpPayloadBytes;
  return Math.min(Math.max(edns.udpPayloadBytes, plainUdpPayloadBytes), maxUdpPayloadBytes);
}

/** The client's id, operation and RD stay; RA is never set. */
function writeHeader(
  bytes: Buffer,
  { rcode, authoritative }: Pick<Response, "rcode" | "authoritative">,
  isTruncated: boolean,
): void {
  const asked = bytes.readUInt16BE(2) & 0x7900;
  const flags = 0x8000 | (authoritative ? 0x400 : 0) | (isTruncated ? 0x200 : 0);
  bytes.writeUInt16BE(asked | flags | (rcode & 0xf), 2);
}

function writeRecord(bytes: Buffer, start: number, record: ResponseRecord): number {
  let at = bytes.writeUInt16BE(0xc000 | record.ownerAt, start);
  at = bytes.writeUInt16BE(record.type, at);
  at = bytes.writeUInt16BE(classIn, at);
  at = bytes.writeUInt32BE(record.ttl, at);
  at = bytes.writeUInt16BE(record.data.length, at);
  return at + record.data.copy(bytes, at);
}

/**
 * RFC 6891 §6.1.3: the upper bits of the code are in the OPT record; DO is repeated (RFC 3225 §3).
 */
function writeOpt(bytes: Buffer, start: number, rcode: Rcode, dnssecOk: boolean): void {
  bytes.fill(0, start, start + optBytes);
  bytes.writeUInt16BE(41, start + 1);
  bytes.writeUInt16BE(maxUdpPayloadBytes, start + 3);
  bytes[start + 5] = rcode >> 4;
  if (dnssecOk) bytes[start + 7] = 0x80;
}

/** The response to a packet whose question could not be read: the header alone. */
export function encodeBareError(packet: Buffer, rcode: Rcode): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  packet.copy(bytes, 0, 0, 4);
  writeHeader(bytes, { rcode, authoritative: false }, false);
  return bytes;
}

/** An answer without records that sends an honest client to TCP; a forged one gains nothing. */
export function encodeTruncated(packet: Buffer, request: Request): Buffer {
  const bytes = Buffer.from(packet.subarray(0, request.questionEnd));
  writeHeader(bytes, { rcode: rcodes.noError, authoritative: true }, true);
  bytes.fill(0, 6, headerBytes);
  return bytes;
}
