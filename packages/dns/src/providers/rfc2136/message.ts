import { isIPv4 } from "node:net";
import { splitCaa, splitSrv, splitTxt } from "../../presentation.ts";
import { type DnsRecord, isRecordType } from "../../record.ts";
import { type QueryType, readRdata, typeCodes } from "../../wire/rdata.ts";
import { createReader, MalformedMessage } from "../../wire/reader.ts";
import { ProviderError } from "../adapter/errors.ts";
import { type Row, readRow } from "../adapter/rows.ts";

const classIn = 1;
const classNone = 254;
const typeSoa = 6;
/** Opcode 5 in bits 11 to 14 of the flags (RFC 2136 §1.3). */
const flagsUpdate = 5 << 11;

/** A record to delete or to add, its data in wire form. */
export interface WireRecord {
  readonly name: string;
  readonly typeCode: number;
  readonly ttl: number;
  readonly data: Buffer;
}

/** Uncompressed; lower case, which is also the canonical form that TSIG needs (RFC 8945 §4.3.3). */
export function encodeName(name: string): Buffer {
  if (name === "." || name === "") return Buffer.from([0]);
  const labels = name.toLowerCase().replace(/\.$/, "").split(".");
  const parts = labels.flatMap((label) => {
    const bytes = Buffer.from(label, "latin1");
    return [Buffer.from([bytes.length]), bytes];
  });
  return Buffer.concat([...parts, Buffer.from([0])]);
}

export function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function wireTypeCode(record: DnsRecord): number {
  return record.type === "ALIAS" ? 0 : typeCodes[record.type];
}

export function encodeRecord(record: DnsRecord, ttl: number): WireRecord {
  return { name: record.name, typeCode: wireTypeCode(record), ttl, data: encodeData(record) };
}

function encodeData(record: DnsRecord): Buffer {
  const { type, value, priority } = record;
  switch (type) {
    case "A":
    case "AAAA":
      return encodeAddress(value);
    case "TXT":
      return Buffer.concat(splitTxt(value).flatMap((text) => [Buffer.from([text.length]), text]));
    case "MX":
      return Buffer.concat([u16(priority ?? 0), encodeName(value)]);
    case "SRV": {
      const { weight, port, target } = splitSrv(value);
      return Buffer.concat([u16(priority ?? 0, weight, port), encodeName(target)]);
    }
    case "CAA": {
      // RFC 8659 §4.1: flags, length of the tag, tag, and the value to the end.
      const { flags, tag, text } = splitCaa(value);
      return Buffer.concat([Buffer.from([flags, tag.length]), Buffer.from(tag + text, "latin1")]);
    }
    default:
      return encodeName(value);
  }
}

function encodeAddress(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  // The URL parser gives the shortest form; groups left out by "::" are zeros.
  const [head = "", tail = ""] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const [before, after] = [head, tail].map((part) =>
    part.split(":").filter((group) => group !== ""),
  );
  const [start, end] = [before ?? [], after ?? []];
  const zeros = Array<string>(8 - start.length - end.length).fill("0");
  return u16(...[...start, ...zeros, ...end].map((group) => Number.parseInt(group, 16)));
}

export function encodeQuery(id: number, name: string, typeCode: number): Buffer {
  return Buffer.concat([u16(id, 0, 1, 0, 0, 0), encodeName(name), u16(typeCode, classIn)]);
}

/**
 * RFC 2136 §2: the zone, no prerequisites, and the changes, which the server makes in order and all
 * or none. A deletion names one value (class NONE, §2.5.4); adding an existing record changes
 * nothing.
 */
export function encodeUpdate(
  id: number,
  zone: string,
  deletions: readonly WireRecord[],
  additions: readonly WireRecord[],
): Buffer {
  const count = deletions.length + additions.length;
  return Buffer.concat([
    u16(id, flagsUpdate, 1, 0, count, 0),
    encodeName(zone),
    u16(typeSoa, classIn),
    ...deletions.map((record) => encodeResource({ ...record, ttl: 0 }, classNone)),
    ...additions.map((record) => encodeResource(record, classIn)),
  ]);
}

function encodeResource({ name, typeCode, ttl, data }: WireRecord, recordClass: number): Buffer {
  return Buffer.concat([
    encodeName(name),
    u16(typeCode, recordClass),
    u32(ttl),
    u16(data.length),
    data,
  ]);
}

/** Whether the type can be written by an update. */
export function isWireType(type: string): boolean {
  return isRecordType(type) && type !== "ALIAS";
}

/** A record of an answer with its raw data. */
interface Resource {
  readonly name: string;
  readonly typeCode: number;
  readonly ttl: number;
  readonly message: Buffer;
  readonly start: number;
  readonly length: number;
}

const typeTxt = 16;
/** Signatures and proofs that the server makes itself: RRSIG, NSEC, NSEC3, NSEC3PARAM. */
const serverMadeTypes: ReadonlySet<number> = new Set([46, 47, 50, 51]);
const typeNames: ReadonlyMap<number, string> = new Map(
  Object.entries(typeCodes).map(([name, code]) => [code, name]),
);

/** The answer section; throws a ProviderError when it cannot be read. */
export function readAnswers(message: Buffer): readonly Resource[] {
  try {
    const reader = createReader(message, 12, message.length);
    for (let n = message.readUInt16BE(4); n > 0; n -= 1) {
      reader.name();
      reader.bytes(4);
    }
    return Array.from({ length: message.readUInt16BE(6) }, () => {
      const name = reader.name();
      const typeCode = reader.u16();
      if (reader.u16() !== classIn) throw new MalformedMessage("another class than IN");
      const ttl = reader.u32();
      const length = reader.u16();
      const start = reader.offset();
      reader.bytes(length);
      return { name, typeCode, ttl, message, start, length };
    });
  } catch (error) {
    if (!(error instanceof MalformedMessage)) throw error;
    throw new ProviderError("unavailable", "The server's answer is malformed.", { cause: error });
  }
}

/** RFC 5936 §2.2: a transfer starts and ends with the zone's SOA. */
export function isWholeZone(messages: readonly Buffer[]): boolean {
  const resources = messages.flatMap(readAnswers);
  return resources.length > 1 && resources.at(-1)?.typeCode === typeSoa;
}

/**
 * TXT rows carry their raw data, which includes the split into strings; other types have one
 * encoding.
 */
export function toRows(messages: readonly Buffer[], zone: string): readonly Row<Buffer | null>[] {
  const resources = messages.flatMap(readAnswers).slice(0, -1);
  return resources
    .filter(({ typeCode }) => !serverMadeTypes.has(typeCode))
    .map((resource) => {
      const { name, typeCode, ttl, message, start, length } = resource;
      const isText = typeCode === typeTxt;
      const raw = isText ? Buffer.from(message.subarray(start, start + length)) : null;
      const type = typeNames.get(typeCode) ?? `TYPE${typeCode}`;
      const record = { name, type, ttl, ...readContent(type, resource) };
      return readRow({ id: null, raw, zone, record });
    });
}

function readContent(type: string, { message, start, length }: Resource) {
  if (!isQueryType(type)) return { value: null, priority: null };
  try {
    return readRdata(type, createReader(message, start, start + length), length);
  } catch (error) {
    if (!(error instanceof MalformedMessage)) throw error;
    return { value: null, priority: null };
  }
}

function isQueryType(type: string): type is QueryType {
  return Object.hasOwn(typeCodes, type);
}
