import { isIPv4 } from "node:net";
import { splitCaa, splitSrv } from "../../presentation.ts";
import { type DnsRecord, isRecordType } from "../../record.ts";
import { splitTxt } from "../../txt.ts";
import { TYPE_CODES } from "../../wire/rdata.ts";

export const CLASS_IN = 1;
const CLASS_NONE = 254;
const TYPE_SOA = 6;
/** Opcode 5 in bits 11 to 14 of the flags (RFC 2136 §1.3). */
const FLAGS_UPDATE = 5 << 11;

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

function typeCodeOf(record: DnsRecord): number {
  return record.type === "ALIAS" ? 0 : TYPE_CODES[record.type];
}

export function encodeRecord(record: DnsRecord, ttl: number): WireRecord {
  return { name: record.name, typeCode: typeCodeOf(record), ttl, data: encodeData(record) };
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
  return Buffer.concat([u16(id, 0, 1, 0, 0, 0), encodeName(name), u16(typeCode, CLASS_IN)]);
}

/**
 * RFC 2136 §2: the zone, no prerequisites, and the changes, which the server makes in order and all or
 * none. A deletion names one value (class NONE, §2.5.4); adding what is there already changes nothing.
 */
export function encodeUpdate(
  id: number,
  zone: string,
  deletions: readonly WireRecord[],
  additions: readonly WireRecord[],
): Buffer {
  const count = deletions.length + additions.length;
  return Buffer.concat([
    u16(id, FLAGS_UPDATE, 1, 0, count, 0),
    encodeName(zone),
    u16(TYPE_SOA, CLASS_IN),
    ...deletions.map((record) => encodeResource({ ...record, ttl: 0 }, CLASS_NONE)),
    ...additions.map((record) => encodeResource(record, CLASS_IN)),
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
