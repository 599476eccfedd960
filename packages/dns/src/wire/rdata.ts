import { foreignText } from "../foreign-text.ts";
import { joinTxt } from "../presentation.ts";
import { canonicalIpv6, printCaa } from "../record.ts";
import { MalformedMessage, type Reader } from "./reader.ts";
import { readServiceBinding } from "./service-binding.ts";

/**
 * Types that can be queried and decoded. ALIAS does not exist on the wire; it shows as addresses.
 */
export type QueryType =
  | "A"
  | "AAAA"
  | "CNAME"
  | "TXT"
  | "MX"
  | "CAA"
  | "NS"
  | "SRV"
  | "SOA"
  | "DS"
  | "DNSKEY"
  | "SVCB"
  | "HTTPS";

export interface Rdata {
  readonly value: string;
  readonly priority: number | null;
}

export const typeCodes: Readonly<Record<QueryType, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  DS: 43,
  DNSKEY: 48,
  SVCB: 64,
  HTTPS: 65,
  CAA: 257,
};

const rdataReaders: Readonly<Record<QueryType, (reader: Reader, length: number) => Rdata>> = {
  A: (reader) => plain(Array.from(reader.bytes(4)).join(".")),
  AAAA: (reader) => plain(readIpv6(reader)),
  CNAME: (reader) => plain(reader.name()),
  NS: (reader) => plain(reader.name()),
  SOA: (reader) => plain(readSoa(reader)),
  TXT: (reader, length) => plain(readTxt(reader, length)),
  MX: (reader) => ({ priority: reader.u16(), value: reader.name() }),
  SRV: (reader) => ({
    priority: reader.u16(),
    value: `${reader.u16()} ${reader.u16()} ${reader.name()}`,
  }),
  CAA: (reader, length) => plain(readCaa(reader, length)),
  SVCB: (reader) => ({ priority: reader.u16(), value: readServiceBinding(reader) }),
  HTTPS: (reader) => ({ priority: reader.u16(), value: readServiceBinding(reader) }),
  DS: (reader, length) =>
    plain(
      `${reader.u16()} ${reader.u8()} ${reader.u8()} ${reader.bytes(length - 4).toString("hex")}`,
    ),
  DNSKEY: (reader, length) =>
    plain(
      `${reader.u16()} ${reader.u8()} ${reader.u8()} ${reader.bytes(length - 4).toString("base64")}`,
    ),
};

/** Reads the data of one record; `reader` spans exactly its `length` octets. */
export function readRdata(type: QueryType, reader: Reader, length: number): Rdata {
  const data = rdataReaders[type](reader, length);
  if (!reader.isAtEnd()) throw new MalformedMessage(`${type} data has another length than stated`);
  return data;
}

function plain(value: string): Rdata {
  return { value, priority: null };
}

function readIpv6(reader: Reader): string {
  const groups = Array.from({ length: 8 }, () => reader.u16().toString(16));
  const canonical = canonicalIpv6(groups.join(":"));
  if (canonical === null) throw new MalformedMessage("AAAA data is no address");
  return canonical;
}

/** RFC 1035 §3.3.13: mname rname serial refresh retry expire minimum. */
function readSoa(reader: Reader): string {
  const names = `${reader.name()} ${reader.name()}`;
  return `${names} ${reader.u32()} ${reader.u32()} ${reader.u32()} ${reader.u32()} ${reader.u32()}`;
}

function readTxt(reader: Reader, length: number): string {
  if (length === 0) throw new MalformedMessage("TXT data is empty");
  const strings: Buffer[] = [];
  while (!reader.isAtEnd()) strings.push(reader.bytes(reader.u8()));
  return foreignText(joinTxt(strings));
}

/** RFC 8659 §4.1. */
function readCaa(reader: Reader, length: number): string {
  const flags = reader.u8();
  const tagLength = reader.u8();
  if (tagLength === 0) throw new MalformedMessage("CAA tag is empty");
  const tag = reader.bytes(tagLength).toString("latin1");
  const value = reader.bytes(length - 2 - tagLength).toString("latin1");
  return foreignText(printCaa(flags, tag, value));
}
