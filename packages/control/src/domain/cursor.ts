import { createHmac, hash, type KeyObject, timingSafeEqual } from "node:crypto";

/**
 * The end of a page as an opaque cursor: `(created_at, id)` with a 128-bit HMAC over it, the list's
 * name, the tenant scope and the filters. For another list, filter or tenant it does not decode.
 */
export interface PagePosition {
  readonly createdAt: Date;
  readonly id: string;
}

const macLength = 16;
const bodyLength = 1 + 8 + 16;
const version = 1;

export function encodeCursor(key: KeyObject, binding: string, position: PagePosition): string {
  const body = Buffer.alloc(bodyLength);
  body.writeUInt8(version, 0);
  body.writeBigInt64BE(BigInt(position.createdAt.getTime()), 1);
  Buffer.from(position.id.replaceAll("-", ""), "hex").copy(body, 9);
  return Buffer.concat([body, mac(key, binding, body)]).toString("base64url");
}

/** Null for a cursor that was not encoded with this key and binding. */
export function decodeCursor(key: KeyObject, binding: string, cursor: string): PagePosition | null {
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.length !== bodyLength + macLength) return null;
  // base64url decoding ignores stray characters and unused bits; only the canonical text is
  // accepted.
  if (bytes.toString("base64url") !== cursor) return null;
  const body = bytes.subarray(0, bodyLength);
  if (!timingSafeEqual(mac(key, binding, body), bytes.subarray(bodyLength))) return null;
  const hex = body.subarray(9).toString("hex");
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { createdAt: new Date(Number(body.readBigInt64BE(1))), id };
}

/**
 * Every page of every list makes one or two: with a key object the bytes of the key are imported
 * once.
 */
function mac(key: KeyObject, binding: string, body: Buffer): Buffer {
  const bound = hash("sha256", binding, "buffer");
  return createHmac("sha256", key).update(bound).update(body).digest().subarray(0, macLength);
}
