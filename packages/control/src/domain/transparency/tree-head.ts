import { hash, type KeyObject, verify } from "node:crypto";
import { hashBytes } from "./merkle.ts";

/** What a log says of its tree; `signature` is that of `TreeHeadSignature` (RFC 6962 §3.5). */
export interface TreeHead {
  readonly size: number;
  readonly root: Buffer;
  /** In milliseconds. */
  readonly timestamp: number;
  readonly signature: Buffer;
}

/** An answer that is not in the form that the log's interface has. */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";
}

const sha256Algorithm = 4;
const signatureAlgorithms: Readonly<Record<string, number>> = { rsa: 1, ec: 3 };

/** Whether the log's key has signed this head: ECDSA or RSA (PKCS #1 v1.5), each with SHA-256. */
export function isSigned(head: TreeHead, key: KeyObject): boolean {
  const { signature } = head;
  if (signature.length < 4 || signature.length !== 4 + signature.readUInt16BE(2)) return false;
  const algorithm = signatureAlgorithms[key.asymmetricKeyType ?? ""];
  if (signature[0] !== sha256Algorithm || signature[1] !== algorithm) return false;
  const signed = Buffer.alloc(18 + hashBytes);
  // Version v1 is 0; the type tree_hash is 1.
  signed[1] = 1;
  signed.writeBigUInt64BE(BigInt(head.timestamp), 2);
  signed.writeBigUInt64BE(BigInt(head.size), 10);
  head.root.copy(signed, 18);
  return verify("sha256", signed, key, signature.subarray(4));
}

/** The answer of `get-sth` (RFC 6962 §4.3). */
export function readSignedTreeHead(answer: unknown): TreeHead {
  const { tree_size, timestamp, sha256_root_hash, tree_head_signature } = asRecord(answer);
  const root = readBase64(sha256_root_hash);
  const signature = readBase64(tree_head_signature);
  if (!isCount(tree_size) || !isCount(timestamp) || root.length !== hashBytes) {
    throw new UnreadableAnswer("not a signed tree head");
  }
  return { size: tree_size, timestamp, root, signature };
}

export function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw new UnreadableAnswer("not an object");
  return Object.fromEntries(Object.entries(value));
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function readBase64(value: unknown): Buffer {
  if (typeof value !== "string" || !base64.test(value)) throw new UnreadableAnswer("not base64");
  return Buffer.from(value, "base64");
}

/** A list of hashes in base64, at most as many as a proof in a tree of 2^64 leaves can have. */
export function readHashes(value: unknown): readonly Buffer[] {
  if (!Array.isArray(value) || value.length > 130) throw new UnreadableAnswer("not a proof");
  const hashes = value.map(readBase64);
  if (hashes.some(({ length }) => length !== hashBytes)) throw new UnreadableAnswer("not a proof");
  return hashes;
}

/** The type of an RFC 6962 signature in a note (static-ct-api, "Checkpoints"). */
const rfc6962Type = 0x05;
const maxSignatures = 100;

/**
 * The head in a checkpoint: a signed note (c2sp.org/signed-note) of origin, size and root. The
 * signature of the log's own key is taken; others, such as those of witnesses, are left alone.
 */
export function readCheckpoint(
  note: string,
  log: { readonly origin: string; readonly logId: Buffer },
): TreeHead {
  const split = note.lastIndexOf("\n\n");
  const [origin, size, root, ...rest] = note.slice(0, split + 1).split("\n");
  const lines = note.slice(split + 2).split("\n");
  const isWhole = split > 0 && lines.pop() === "" && rest.length === 1 && rest[0] === "";
  if (!isWhole || lines.length > maxSignatures || origin !== log.origin) {
    throw new UnreadableAnswer("not a checkpoint of this log");
  }
  if (size === undefined || !/^(0|[1-9]\d{0,15})$/.test(size)) {
    throw new UnreadableAnswer("a checkpoint without a size");
  }
  const rootHash = readBase64(root);
  const signature = findSignature(lines, log);
  if (signature === null || rootHash.length !== hashBytes) {
    throw new UnreadableAnswer("a checkpoint without the log's signature");
  }
  return { size: Number(size), root: rootHash, ...signature };
}

function findSignature(
  lines: readonly string[],
  { origin, logId }: { readonly origin: string; readonly logId: Buffer },
): Pick<TreeHead, "timestamp" | "signature"> | null {
  const keyId = noteKeyId(origin, logId);
  for (const line of lines) {
    const [dash, name, value, ...more] = line.split(" ");
    if (dash !== "—" || name !== origin || more.length > 0 || !base64.test(value ?? "")) continue;
    const bytes = Buffer.from(value ?? "", "base64");
    if (bytes.length < 12 || !bytes.subarray(0, 4).equals(keyId)) continue;
    const timestamp = Number(bytes.readBigUInt64BE(4));
    if (Number.isSafeInteger(timestamp)) return { timestamp, signature: bytes.subarray(12) };
  }
  return null;
}

function noteKeyId(origin: string, logId: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(`${origin}\n`), Buffer.of(rfc6962Type), logId]);
  return hash("sha256", named, "buffer").subarray(0, 4);
}
