import { createHmac, timingSafeEqual } from "node:crypto";
import { createReader } from "../../wire/reader.ts";
import { encodeName, u16 } from "./message.ts";

const typeTsig = 250;
const classAny = 255;
const headerBytes = 12;
/** How far the clocks may differ, as recommended (RFC 8945 §10). */
const fudgeSeconds = 300;

/** The algorithms of RFC 8945 §6 that are not obsolete, by their names in DNS. */
const hashByAlgorithm: Readonly<Record<string, string>> = {
  "hmac-sha1": "sha1",
  "hmac-sha224": "sha224",
  "hmac-sha256": "sha256",
  "hmac-sha384": "sha384",
  "hmac-sha512": "sha512",
};

export const tsigAlgorithms: readonly string[] = Object.keys(hashByAlgorithm);

export interface TsigKey {
  readonly name: string;
  /** One of tsigAlgorithms. */
  readonly algorithm: string;
  readonly secret: Buffer;
}

/** RFC 8945 §3: what the TSIG record of an answer can complain about. */
export const tsigErrors: Readonly<Record<number, string>> = {
  16: "the signature does not match (BADSIG)",
  17: "the key is not known (BADKEY)",
  18: "the clocks differ too much (BADTIME)",
  22: "the signature is too short (BADTRUNC)",
};

export interface Signed {
  readonly message: Buffer;
  readonly mac: Buffer;
}

/** Appends a TSIG record (RFC 8945 §5.1) to a message that has none. */
export function signMessage(message: Buffer, key: TsigKey, at: Date): Signed {
  const time = timeBytes(Math.floor(at.getTime() / 1_000), fudgeSeconds);
  const mac = hmac(key, [message, variables(key, time, 0, Buffer.alloc(0))]);
  const data = Buffer.concat([
    encodeName(key.algorithm),
    time,
    u16(mac.length),
    mac,
    message.subarray(0, 2),
    u16(0, 0),
  ]);
  const record = [encodeName(key.name), u16(typeTsig, classAny, 0, 0, data.length), data];
  return { message: Buffer.concat([withAdditional(message, 1), ...record]), mac };
}

export interface Tsig {
  /** Where the record starts, which is where the signed part ends. */
  readonly start: number;
  readonly mac: Buffer;
  readonly time: Buffer;
  readonly signedAt: number;
  readonly fudge: number;
  readonly originalId: number;
  readonly error: number;
  readonly other: Buffer;
}

/**
 * The TSIG record at the end of a message, or null. Throws MalformedMessage on a broken message.
 */
export function readTsig(message: Buffer): Tsig | null {
  const reader = createReader(message, headerBytes, message.length);
  const counts = [4, 6, 8, 10].map((at) => message.readUInt16BE(at));
  const [questions = 0, ...sections] = counts;
  for (let n = 0; n < questions; n += 1) {
    reader.name();
    reader.bytes(4);
  }
  const total = sections.reduce((sum, count) => sum + count, 0);
  for (let n = 0; n < total; n += 1) {
    const start = reader.offset();
    reader.name();
    const type = reader.u16();
    reader.bytes(6);
    const data = reader.bytes(reader.u16());
    if (n === total - 1 && type === typeTsig) return readData(data, start);
  }
  return null;
}

function readData(data: Buffer, start: number): Tsig {
  const reader = createReader(data, 0, data.length);
  reader.name();
  const time = reader.bytes(8);
  const mac = reader.bytes(reader.u16());
  const [originalId, error] = [reader.u16(), reader.u16()];
  const other = reader.bytes(reader.u16());
  const [signedAt, fudge] = [time.readUIntBE(0, 6), time.readUInt16BE(6)];
  return { start, mac, time, signedAt, fudge, originalId, error, other };
}

/**
 * Checks the answers to one signed request, in the order of arrival. The first is signed as a whole
 * (RFC 8945 §5.3); of the further ones of a transfer some may be unsigned, and the next signature
 * covers those before it (§5.3.1).
 */
export function createVerifier(key: TsigKey, requestMac: Buffer, now: () => Date) {
  let previous = requestMac;
  let unsigned: Buffer[] = [];
  let isFirst = true;
  return {
    /** Whether the last message was signed; a transfer must end on one that is. */
    isSettled: () => unsigned.length === 0 && !isFirst,
    /** False for a message with a wrong signature or an expired time. */
    accept(message: Buffer, tsig: Tsig | null): boolean {
      if (tsig === null) {
        unsigned.push(message);
        return !isFirst;
      }
      const head = Buffer.concat([u16(previous.length), previous]);
      const bare = withAdditional(message.subarray(0, tsig.start), -1);
      bare.writeUInt16BE(tsig.originalId, 0);
      const tail = isFirst ? variables(key, tsig.time, tsig.error, tsig.other) : tsig.time;
      const expected = hmac(key, [head, ...unsigned, bare, tail]);
      const isSame = expected.length === tsig.mac.length && timingSafeEqual(expected, tsig.mac);
      const isCurrent = Math.abs(now().getTime() / 1_000 - tsig.signedAt) <= tsig.fudge;
      [previous, unsigned, isFirst] = [tsig.mac, [], false];
      return isSame && isCurrent;
    },
  };
}

/** RFC 8945 §4.3.3. */
function variables(key: TsigKey, time: Buffer, error: number, other: Buffer): Buffer {
  return Buffer.concat([
    encodeName(key.name),
    u16(classAny, 0, 0),
    encodeName(key.algorithm),
    time,
    u16(error, other.length),
    other,
  ]);
}

function timeBytes(seconds: number, fudge: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUIntBE(seconds, 0, 6);
  bytes.writeUInt16BE(fudge, 6);
  return bytes;
}

/** A copy whose count of additional records differs by `delta`. */
function withAdditional(message: Buffer, delta: 1 | -1): Buffer {
  const copy = Buffer.from(message);
  copy.writeUInt16BE(copy.readUInt16BE(10) + delta, 10);
  return copy;
}

function hmac(key: TsigKey, parts: readonly Buffer[]): Buffer {
  const mac = createHmac(hashByAlgorithm[key.algorithm] ?? "sha256", key.secret);
  for (const part of parts) mac.update(part);
  return mac.digest();
}
