import { isKeyId } from "./root-key.ts";
import { VaultError } from "./vault-error.ts";

/** The stored form: `v1.<kek id>.<wrapped key>.<iv>.<ciphertext+tag>`, the last three in base64url. */
export interface Sealed {
  readonly keyId: string;
  /** The wrapping's own IV, the encrypted data key and its tag. */
  readonly wrappedKey: Buffer;
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
}

export const IV_BYTES = 12;
export const TAG_BYTES = 16;
export const DATA_KEY_BYTES = 32;

const VERSION = "v1";
const WRAPPED_BYTES = IV_BYTES + DATA_KEY_BYTES + TAG_BYTES;

export function formatSealed(sealed: Sealed): string {
  const parts = [sealed.wrappedKey, sealed.iv, sealed.ciphertext];
  return [VERSION, sealed.keyId, ...parts.map((part) => part.toString("base64url"))].join(".");
}

export function parseSealed(text: string): Sealed {
  const parts = text.split(".");
  const [version, keyId, wrappedKey, iv, ciphertext] = parts;
  if (parts.length !== 5 || version !== VERSION || keyId === undefined || !isKeyId(keyId)) {
    throw new VaultError("malformed", "not a sealed value of version 1");
  }
  const sealed = {
    keyId,
    wrappedKey: decode(wrappedKey),
    iv: decode(iv),
    ciphertext: decode(ciphertext),
  };
  const isWhole =
    sealed.wrappedKey.length === WRAPPED_BYTES &&
    sealed.iv.length === IV_BYTES &&
    sealed.ciphertext.length >= TAG_BYTES;
  if (!isWhole)
    throw new VaultError("malformed", "a part of the sealed value has the wrong length");
  return sealed;
}

/** Only the one canonical spelling is read: Node ignores stray characters and unused trailing bits. */
function decode(part = ""): Buffer {
  const bytes = Buffer.from(part, "base64url");
  if (bytes.toString("base64url") !== part) {
    throw new VaultError("malformed", "a part of the sealed value is not canonical base64url");
  }
  return bytes;
}
