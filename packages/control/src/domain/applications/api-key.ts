import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Environment, Scope } from "../tenancy.ts";

/** A key without its secret, which is shown once at creation and stored only as a hash. */
export interface ApiKey {
  readonly id: string;
  readonly applicationId: string;
  readonly environment: Environment;
  readonly name: string;
  readonly last4: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  /** As the audit log names them; null where it is not known. */
  readonly createdBy: string | null;
  readonly createdByName: string | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/**
 * `sk_test_` or `sk_live_`, 40 random base62 characters (238 bits), and six that are the CRC32 of
 * all before them, so that a mistyped or leaked key is recognised without a database.
 */
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const shape = /^sk_(test|live)_[0-9A-Za-z]{46}$/;
const checksumLength = 6;

export function generateApiKey(environment: Environment): string {
  const body = `sk_${environment}_${randomBase62(40)}`;
  return body + checksum(body);
}

/** The environment a well-formed key names; null when shape or checksum are wrong. */
export function apiKeyEnvironment(key: string): Environment | null {
  const match = shape.exec(key);
  if (!match) return null;
  const body = key.slice(0, -checksumLength);
  if (checksum(body) !== key.slice(-checksumLength)) return null;
  return match[1] === "live" ? "live" : "test";
}

export function hashApiKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

function checksum(body: string): string {
  let rest = crc32(body) >>> 0;
  let digits = "";
  while (rest > 0) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits.padStart(checksumLength, "0");
}

function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte: taking more would favour the first letters.
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}
