import { createCipheriv, createDecipheriv, type KeyObject } from "node:crypto";
import { isKeyId, VaultError } from "./root-key.ts";

/**
 * The stored form: `v1.<kek id>.<wrapped key>.<iv>.<ciphertext+tag>`, the last three in base64url.
 */
export interface Sealed {
  readonly keyId: string;
  /** The wrapping's own IV, the encrypted data key and its tag. */
  readonly wrappedKey: Buffer;
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
}

export const ivBytes = 12;
export const tagBytes = 16;
export const dataKeyBytes = 32;

const formatVersion = "v1";
const wrappedKeyBytes = ivBytes + dataKeyBytes + tagBytes;

export function formatSealed(sealed: Sealed): string {
  const parts = [sealed.wrappedKey, sealed.iv, sealed.ciphertext];
  return [formatVersion, sealed.keyId, ...parts.map((part) => part.toString("base64url"))].join(
    ".",
  );
}

export function parseSealed(text: string): Sealed {
  const parts = text.split(".");
  const [version, keyId, wrappedKey, iv, ciphertext] = parts;
  if (parts.length !== 5 || version !== formatVersion || keyId === undefined || !isKeyId(keyId)) {
    throw new VaultError("malformed", "not a sealed value of version 1");
  }
  const sealed = {
    keyId,
    wrappedKey: decode(wrappedKey),
    iv: decode(iv),
    ciphertext: decode(ciphertext),
  };
  const isWhole =
    sealed.wrappedKey.length === wrappedKeyBytes &&
    sealed.iv.length === ivBytes &&
    sealed.ciphertext.length >= tagBytes;
  if (!isWhole)
    throw new VaultError("malformed", "a part of the sealed value has the wrong length");
  return sealed;
}

/**
 * Only the one canonical spelling is read: Node ignores stray characters and unused trailing bits.
 */
function decode(part = ""): Buffer {
  const bytes = Buffer.from(part, "base64url");
  if (bytes.toString("base64url") !== part) {
    throw new VaultError("malformed", "a part of the sealed value is not canonical base64url");
  }
  return bytes;
}

const cipherName = "aes-256-gcm";
const cipherOptions = { authTagLength: tagBytes };

/** Ciphertext followed by its tag. The caller must pass a fresh IV (NIST SP 800-38D §8). */
export function encrypt(
  key: KeyObject | Buffer,
  iv: Buffer,
  plaintext: Uint8Array,
  additional: Buffer,
): Buffer {
  const cipher = createCipheriv(cipherName, key, iv, cipherOptions).setAAD(additional);
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

export function decrypt(
  key: KeyObject | Buffer,
  iv: Buffer,
  ciphertext: Buffer,
  additional: Buffer,
): Buffer {
  const end = ciphertext.length - tagBytes;
  const decipher = createDecipheriv(cipherName, key, iv, cipherOptions)
    .setAAD(additional)
    .setAuthTag(ciphertext.subarray(end));
  const plaintext = decipher.update(ciphertext.subarray(0, end));
  try {
    return Buffer.concat([plaintext, decipher.final()]);
  } catch (cause) {
    throw new VaultError("tampered", "the sealed value does not belong here or was changed", {
      cause,
    });
  } finally {
    plaintext.fill(0);
  }
}
