import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";

/**
 * What went wrong, for callers that branch; the message never carries key material or plaintext.
 */
export type VaultErrorKind =
  /** The list of root keys cannot be used. */
  | "bad_root_key"
  /** The value was sealed under a root key that is not loaded. */
  | "unknown_key"
  /**
   * Authentication failed: other bytes, another context, another purpose, or another key of that
   * id.
   */
  | "tampered"
  /** The text is not a sealed value, or the context has a field that cannot be encoded. */
  | "malformed"
  /** This vault was created without that purpose. */
  | "purpose_withheld";

export class VaultError extends Error {
  override readonly name = "VaultError";
  readonly kind: VaultErrorKind;

  constructor(kind: VaultErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Held as a KeyObject because that prints and serialises as an opaque handle, never as bytes. */
export interface RootKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** The current root key first, then those that only open older values. */
export type RootKeys = readonly [RootKey, ...RootKey[]];

const rootKeyBytes = 32;

/** Free of the separators of the key list and of the stored form; shorter than an encoded key. */
const keyIdPattern = /^[A-Za-z0-9_-]{1,32}$/;
const base64Text = /^[A-Za-z0-9+/]*={0,2}$/;

export function isKeyId(text: string): boolean {
  return keyIdPattern.test(text);
}

/**
 * Reads `id:base64,id2:base64`. Errors name a key by its position only: the text where the id
 * belongs may be a key pasted the wrong way round.
 */
export function parseRootKeys(text: string): RootKeys {
  const [first, ...rest] = text
    .split(",")
    .map((entry, index) => parseEntry(entry.trim(), index + 1));
  if (first === undefined) throw new VaultError("bad_root_key", "there is no root key");
  const keys: RootKeys = [first, ...rest];
  keys.forEach((key, index) => {
    for (const [earlierIndex, earlier] of keys.slice(0, index).entries()) {
      if (earlier.id === key.id) throw repeated("id", earlierIndex, index);
      if (earlier.key.equals(key.key)) throw repeated("key", earlierIndex, index);
    }
  });
  return keys;
}

/** A new root key in the form that `parseRootKeys` reads. */
export function generateRootKey(): string {
  return `k${randomBytes(4).toString("hex")}:${randomBytes(rootKeyBytes).toString("base64")}`;
}

function parseEntry(entry: string, position: number): RootKey {
  const colon = entry.indexOf(":");
  if (colon < 0) throw bad(position, "must be written id:base64");
  const id = entry.slice(0, colon);
  const encoded = entry.slice(colon + 1);
  if (!isKeyId(id)) {
    throw bad(position, "has an id that is not 1 to 32 letters, digits, underscores or hyphens");
  }
  if (!base64Text.test(encoded)) throw bad(position, "is not base64");
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.length !== rootKeyBytes) {
    throw bad(position, `has ${bytes.length} bytes, ${rootKeyBytes} are needed`);
  }
  if (bytes.every((byte) => byte === bytes[0])) throw bad(position, "is one byte repeated");
  return { id, key: createSecretKey(bytes) };
}

function bad(position: number, what: string): VaultError {
  return new VaultError("bad_root_key", `root key ${position} ${what}`);
}

function repeated(what: string, earlierIndex: number, index: number): VaultError {
  return bad(index + 1, `has the same ${what} as root key ${earlierIndex + 1}`);
}
