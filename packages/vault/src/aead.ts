import { createCipheriv, createDecipheriv, type KeyObject } from "node:crypto";
import { TAG_BYTES } from "./sealed.ts";
import { VaultError } from "./vault-error.ts";

const CIPHER = "aes-256-gcm";
const OPTIONS = { authTagLength: TAG_BYTES };

/** Ciphertext followed by its tag. The caller answers for a fresh IV (NIST SP 800-38D §8). */
export function encrypt(
  key: KeyObject | Buffer,
  iv: Buffer,
  plaintext: Uint8Array,
  additional: Buffer,
): Buffer {
  const cipher = createCipheriv(CIPHER, key, iv, OPTIONS).setAAD(additional);
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

export function decrypt(
  key: KeyObject | Buffer,
  iv: Buffer,
  ciphertext: Buffer,
  additional: Buffer,
): Buffer {
  const end = ciphertext.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, iv, OPTIONS)
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
