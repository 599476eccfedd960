import { isIPv4, isIPv6 } from "node:net";
import { crc32c } from "./crc32c.ts";

/**
 * The header that a balancer puts before the first byte of a connection (PROXY protocol 1 and 2, by
 * HAProxy). `source` is the address of the client; null where the sender names none: it speaks for
 * itself, as in a health check.
 */
export type ProxyHeader =
  | { readonly kind: "header"; readonly length: number; readonly source: string | null }
  | { readonly kind: "incomplete" }
  /** The bytes are no header at all, from the first on. */
  | { readonly kind: "absent" }
  | { readonly kind: "malformed" };

const incomplete: ProxyHeader = { kind: "incomplete" };
const absent: ProxyHeader = { kind: "absent" };
const malformed: ProxyHeader = { kind: "malformed" };

const textSignature = Buffer.from("PROXY ");
/** §2.1: the longest line, with its CRLF. */
const maxLineBytes = 107;
const binarySignature = Buffer.from("\r\n\r\n\0\r\nQUIT\n", "latin1");
const fixedBytes = 16;
/** Senders add a few hundred bytes of TLVs; certificates of clients would be the largest. */
const maxBinaryBytes = 4_096;

/** Strict: what is not exactly a header of either version is refused, as §5 asks. */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (startsAs(bytes, textSignature)) {
    return bytes.length < textSignature.length ? incomplete : readLine(bytes);
  }
  if (!startsAs(bytes, binarySignature)) return absent;
  return bytes.length < fixedBytes ? incomplete : readBinary(bytes);
}

function startsAs(bytes: Buffer, signature: Buffer): boolean {
  const length = Math.min(bytes.length, signature.length);
  return bytes.compare(signature, 0, length, 0, length) === 0;
}

function readLine(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, maxLineBytes).indexOf("\r\n");
  if (end === -1) return bytes.length < maxLineBytes ? incomplete : malformed;
  const length = end + 2;
  const line = bytes.toString("latin1", textSignature.length, end);
  // §2.1: what follows UNKNOWN is ignored.
  if (/^UNKNOWN( .*)?$/.test(line)) return { kind: "header", length, source: null };
  const [family, source = "", destination = "", ...ports] = line.split(" ");
  const isAddress = family === "TCP4" ? isIPv4 : family === "TCP6" ? isPlainIPv6 : null;
  if (isAddress === null || !isAddress(source) || !isAddress(destination)) return malformed;
  if (ports.length !== 2 || !ports.every(isPort)) return malformed;
  return { kind: "header", length, source };
}

function isPlainIPv6(text: string): boolean {
  return isIPv6(text) && !text.includes("%");
}

function isPort(text: string): boolean {
  return /^(0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535;
}

function readBinary(bytes: Buffer): ProxyHeader {
  const command = bytes[12];
  const length = fixedBytes + bytes.readUInt16BE(14);
  if ((command !== 0x20 && command !== 0x21) || length > maxBinaryBytes) return malformed;
  if (bytes.length < length) return incomplete;
  const header = bytes.subarray(0, length);
  const addresses = addressesIn(header);
  if (addresses === null || !areValuesValid(header, fixedBytes + addresses.bytes)) return malformed;
  return { kind: "header", length, source: command === 0x20 ? null : addresses.source };
}

interface BinaryAddresses {
  /** How many bytes precede the TLVs. */
  readonly bytes: number;
  readonly source: string | null;
}

/** Only TCP, or a family that the sender leaves open; a local command may have any. */
function addressesIn(header: Buffer): BinaryAddresses | null {
  const family = header[13];
  const given = header.length - fixedBytes;
  const isLocal = header[12] === 0x20;
  if (family === 0x11 && given >= 12) return { bytes: 12, source: v4At(header, fixedBytes) };
  if (family === 0x21 && given >= 36) return { bytes: 36, source: v6At(header, fixedBytes) };
  // §2.2: the whole part is to be ignored.
  return family === 0x00 || isLocal ? { bytes: given, source: null } : null;
}

function v4At(bytes: Buffer, at: number): string {
  return bytes.subarray(at, at + 4).join(".");
}

function v6At(bytes: Buffer, at: number): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    bytes.readUInt16BE(at + 2 * index).toString(16),
  );
  // The one spelling that URLs have (RFC 5952), so that an address is counted once.
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

/** The name of the handshake, and what the sender calls the connection (§2.2.2, §2.2.5). */
export const proxyValue = { authority: 0x02, uniqueId: 0x05 } as const;

/** One of the TLVs of a header of version 2 that has been read; null where it has none. */
export function readProxyValue(header: Buffer, type: number): string | null {
  const addresses = header.length < fixedBytes ? null : addressesIn(header);
  let at = addresses === null ? header.length : fixedBytes + addresses.bytes;
  while (at + 3 <= header.length) {
    const end = at + 3 + header.readUInt16BE(at + 1);
    if (header[at] === type) return header.toString("latin1", at + 3, end);
    at = end;
  }
  return null;
}

const crc32cType = 0x03;

/** The TLVs fill the rest of the header exactly, and a checksum among them is right (§2.2.3). */
function areValuesValid(header: Buffer, from: number): boolean {
  let at = from;
  while (at < header.length) {
    if (at + 3 > header.length) return false;
    const bytes = header.readUInt16BE(at + 1);
    const end = at + 3 + bytes;
    if (end > header.length) return false;
    if (header[at] === crc32cType && !isChecksumRight(header, at + 3, bytes)) return false;
    at = end;
  }
  return true;
}

function isChecksumRight(header: Buffer, at: number, bytes: number): boolean {
  if (bytes !== 4) return false;
  const blank = Buffer.from(header);
  blank.fill(0, at, at + 4);
  return crc32c(blank) === header.readUInt32BE(at);
}
