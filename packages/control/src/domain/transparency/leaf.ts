import { hash } from "node:crypto";

/** One entry of a log: what was certified, when the log promised it, and its hash in the tree. */
export interface LogEntry {
  /** When the log accepted it, in milliseconds. */
  readonly timestamp: number;
  /** A certificate, or the TBSCertificate of a precertificate. */
  readonly form: "certificate" | "tbs";
  readonly der: Buffer;
  /** SHA-256 over 0x00 and the MerkleTreeLeaf (RFC 6962 §2.1). */
  readonly leafHash: Buffer;
}

const x509Entry = 0;
const precertEntry = 1;
const keyHashBytes = 32;

/** What of a TimestampedEntry (RFC 6962 §3.4) was found between two positions. */
interface Timestamped extends Omit<LogEntry, "leafHash"> {
  readonly end: number;
}

/** Null where the bytes are not a whole entry of a known type. */
function readTimestamped(bytes: Buffer, start: number): Timestamped | null {
  if (bytes.length < start + 10) return null;
  const timestamp = bytes.readUInt32BE(start) * 2 ** 32 + bytes.readUInt32BE(start + 4);
  const type = bytes.readUInt16BE(start + 8);
  if (type !== x509Entry && type !== precertEntry) return null;
  const form = type === x509Entry ? "certificate" : "tbs";
  const lengthAt = start + 10 + (type === precertEntry ? keyHashBytes : 0);
  const content = readOpaque(bytes, lengthAt, 3);
  const extensions = content && readOpaque(bytes, content.end, 2);
  if (!content || !extensions || !Number.isSafeInteger(timestamp)) return null;
  return { timestamp, form, der: content.bytes, end: extensions.end };
}

/** A vector of TLS with a length of two or three octets. */
function readOpaque(
  bytes: Buffer,
  at: number,
  octets: 2 | 3,
): { readonly bytes: Buffer; readonly end: number } | null {
  const start = at + octets;
  if (bytes.length < start) return null;
  const end = start + bytes.readUIntBE(at, octets);
  return end > bytes.length ? null : { bytes: bytes.subarray(start, end), end };
}

/** An answer's `leaf_input` with the octet before it that is hashed with it. */
export interface HashedLeaf {
  readonly leafHash: Buffer;
  /** Null where the leaf is not of a known form; it is part of the tree all the same. */
  readonly entry: LogEntry | null;
}

/** Of a MerkleTreeLeaf in base64, as `get-entries` answers. */
export function readLeafInput(base64: string): HashedLeaf {
  const size = Buffer.byteLength(base64, "base64");
  const bytes = Buffer.allocUnsafe(size + 1);
  bytes[0] = 0;
  const written = bytes.write(base64, 1, "base64");
  const leaf = bytes.subarray(0, written + 1);
  const leafHash = hash("sha256", leaf, "buffer");
  // Version v1 and the type timestamped_entry are both 0.
  const isKnown = leaf[1] === 0 && leaf[2] === 0;
  const found = isKnown ? readTimestamped(leaf, 3) : null;
  const isWhole = found !== null && found.end === leaf.length;
  return { leafHash, entry: isWhole ? toEntry(found, leafHash) : null };
}

function toEntry({ timestamp, form, der }: Timestamped, leafHash: Buffer): LogEntry {
  return { timestamp, form, der, leafHash };
}

/**
 * The entries of a data tile (static-ct-api, "Log entries"), from index `skip` on and at most
 * `width` in all; null for bytes that are not so many whole entries.
 */
export function readDataTile(tile: Buffer, width: number, skip: number): LogEntry[] | null {
  const entries: LogEntry[] = [];
  let position = 0;
  for (let index = 0; index < width; index += 1) {
    const found = readTimestamped(tile, position);
    if (found === null) return null;
    const precertificate = found.form === "tbs" ? readOpaque(tile, found.end, 3) : found;
    const chain = precertificate && readOpaque(tile, precertificate.end, 2);
    if (!chain) return null;
    if (index >= skip) entries.push(toEntry(found, hashTileLeaf(tile, position, found.end)));
    position = chain.end;
  }
  return entries;
}

/** The tile leaves out version and type of the leaf, which are hashed with it. */
function hashTileLeaf(tile: Buffer, start: number, end: number): Buffer {
  const leaf = Buffer.allocUnsafe(end - start + 3);
  leaf.fill(0, 0, 3);
  tile.copy(leaf, 3, start, end);
  return hash("sha256", leaf, "buffer");
}
