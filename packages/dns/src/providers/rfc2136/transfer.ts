import { ProviderError } from "../../errors.ts";
import { type Row, readRow } from "../../rows.ts";
import type { QueryType } from "../../wire/rdata.ts";
import { readRdata, TYPE_CODES } from "../../wire/rdata.ts";
import { createReader, MalformedMessage } from "../../wire/reader.ts";
import { CLASS_IN } from "./encode.ts";

/** A record of an answer with its data as it came. */
interface Resource {
  readonly name: string;
  readonly typeCode: number;
  readonly ttl: number;
  readonly message: Buffer;
  readonly start: number;
  readonly length: number;
}

const TYPE_SOA = 6;
const TYPE_TXT = 16;
/** Signatures and proofs that the server makes itself: RRSIG, NSEC, NSEC3, NSEC3PARAM. */
const MADE_BY_SERVER: ReadonlySet<number> = new Set([46, 47, 50, 51]);
const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(TYPE_CODES).map(([name, code]) => [code, name]),
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
      if (reader.u16() !== CLASS_IN) throw new MalformedMessage("another class than IN");
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
  return resources.length > 1 && resources.at(-1)?.typeCode === TYPE_SOA;
}

/** Texts keep their data, whose division into strings is part of it; all other types have one form. */
export function toRows(messages: readonly Buffer[], zone: string): readonly Row<Buffer | null>[] {
  const resources = messages.flatMap(readAnswers).slice(0, -1);
  return resources
    .filter(({ typeCode }) => !MADE_BY_SERVER.has(typeCode))
    .map((resource) => {
      const { name, typeCode, ttl, message, start, length } = resource;
      const isText = typeCode === TYPE_TXT;
      const raw = isText ? Buffer.from(message.subarray(start, start + length)) : null;
      const type = NAMES.get(typeCode) ?? `TYPE${typeCode}`;
      const record = { name, type, ttl, ...contentOf(type, resource) };
      return readRow({ id: "", raw, zone, record });
    });
}

function contentOf(type: string, { message, start, length }: Resource) {
  if (!isQueryType(type)) return { value: null, priority: null };
  try {
    return readRdata(type, createReader(message, start, start + length), length);
  } catch (error) {
    if (!(error instanceof MalformedMessage)) throw error;
    return { value: null, priority: null };
  }
}

function isQueryType(type: string): type is QueryType {
  return Object.hasOwn(TYPE_CODES, type);
}
