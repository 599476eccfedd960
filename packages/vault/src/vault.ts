import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto";
import { type RootKey, type RootKeys, VaultError } from "./root-key.ts";
import {
  dataKeyBytes,
  decrypt,
  encrypt,
  formatSealed,
  ivBytes,
  parseSealed,
  type Sealed,
} from "./sealed.ts";

/**
 * What a sealed value is for. Each purpose has its own key-encryption key, so a value sealed for
 * one never opens as another, and a process can be given only the purposes it needs. The strings
 * enter the key derivation: renaming one makes every value sealed under it unreadable.
 */
export const purposes = [
  "dns_credential",
  "certificate_key",
  "acme_account",
  "webhook_secret",
  "token_signing",
  "assertion_signing",
  "local_ca",
  "origin_client_key",
  "ticket_key",
  "domain_connect",
  "share_link",
  "idempotent_reply",
  "cursor",
  "sign_in",
  /** The key of one file that `mooring backup` writes. */
  "backup",
  /**
   * A known value sealed at first start; opening it proves that the loaded keys are the right ones.
   */
  "key_check",
] as const;

export type Purpose = (typeof purposes)[number];

/**
 * Where a value is stored. It is authenticated with the value, so a ciphertext moved
 * to another tenant, table, row or column does not open. `tenant` is null for what belongs to the
 * installation as a whole.
 */
export interface SealContext {
  readonly tenant: string | null;
  readonly table: string;
  readonly row: string;
  readonly column: string;
}

/** Every method is synchronous and free of side effects; failures are `VaultError`s. */
export interface Vault {
  /** Seals under the current root key. Two calls never give the same text. */
  seal(purpose: Purpose, context: SealContext, plaintext: string | Uint8Array): string;
  /**
   * The plaintext, when purpose and context are those it was sealed with; any loaded key will do.
   */
  open(purpose: Purpose, context: SealContext, sealed: string): Buffer;
  /**
   * The same value under the current root key, or null when it already is. Only the data key is
   * wrapped again (the IV and ciphertext parts stay as they are), so an interrupted rotation leaves
   * every row readable and may be run again.
   */
  rewrap(purpose: Purpose, context: SealContext, sealed: string): string | null;
  /** The id of the root key that the value needs, loaded or not. */
  keyIdOf(sealed: string): string;
  readonly currentKeyId: string;
  /** The loaded ids, current first. */
  readonly keyIds: readonly string[];
  /**
   * 32 bytes for a MAC, of the current root key or of the named one (to check what was signed
   * before a rotation). Never equal to a key that wraps values of the same purpose.
   */
  deriveKey(purpose: Purpose, keyId?: string): Buffer;
}

/** The keys of one purpose under one root key. */
export interface PurposeKeys {
  readonly wrapping: KeyObject;
  readonly mac: KeyObject;
}

type KeyTable = ReadonlyMap<string, ReadonlyMap<Purpose, PurposeKeys>>;

/** Keys of some purposes, by the id of the root key that they come from, the current one first. */
export interface KeyRing {
  readonly currentKeyId: string;
  readonly byKeyId: KeyTable;
}

/**
 * Derives all keys at once and drops the root keys: a vault created with few purposes holds no key
 * that opens the others. A key ring must have the purposes.
 */
export function createVault(
  source: RootKeys | KeyRing,
  options: { readonly purposes?: readonly Purpose[] } = {},
): Vault {
  const derived = options.purposes ?? purposes;
  const ring = "currentKeyId" in source ? source : deriveRing(source, derived);
  const { currentKeyId, byKeyId: table } = ring;
  // Found at the start, not with the first value.
  for (const purpose of derived) keysFor(table, currentKeyId, purpose);

  return {
    currentKeyId,
    keyIds: [...table.keys()],

    seal(purpose, context, plaintext) {
      const { wrapping } = keysFor(table, currentKeyId, purpose);
      const associatedData = additionalData(purpose, context);
      const dataKey = randomBytes(dataKeyBytes);
      const iv = randomBytes(ivBytes);
      const sealed = formatSealed({
        keyId: currentKeyId,
        wrappedKey: wrap(wrapping, currentKeyId, dataKey, associatedData),
        iv,
        ciphertext: encrypt(dataKey, iv, toBytes(plaintext), associatedData),
      });
      dataKey.fill(0);
      return sealed;
    },

    open(purpose, context, text) {
      const sealed = parseSealed(text);
      const associatedData = additionalData(purpose, context);
      return withDataKey(table, purpose, associatedData, sealed, (dataKey) =>
        decrypt(dataKey, sealed.iv, sealed.ciphertext, associatedData),
      );
    },

    rewrap(purpose, context, text) {
      const sealed = parseSealed(text);
      if (sealed.keyId === currentKeyId) return null;
      const { wrapping } = keysFor(table, currentKeyId, purpose);
      const associatedData = additionalData(purpose, context);
      return withDataKey(table, purpose, associatedData, sealed, (dataKey) =>
        formatSealed({
          ...sealed,
          keyId: currentKeyId,
          wrappedKey: wrap(wrapping, currentKeyId, dataKey, associatedData),
        }),
      );
    },

    keyIdOf: (text) => parseSealed(text).keyId,
    deriveKey: (purpose, keyId = currentKeyId) => keysFor(table, keyId, purpose).mac.export(),
  };
}

/**
 * The keys of these purposes. The root keys cannot be found from them, nor keys of other purposes.
 */
export function deriveRing(rootKeys: RootKeys, requested: readonly Purpose[]): KeyRing {
  return {
    currentKeyId: rootKeys[0].id,
    byKeyId: new Map(rootKeys.map((root) => [root.id, deriveAll(root, requested)])),
  };
}

function deriveAll(root: RootKey, purposes: readonly Purpose[]): Map<Purpose, PurposeKeys> {
  return new Map(
    purposes.map((purpose) => [
      purpose,
      { wrapping: derive(root.key, "kek", purpose), mac: derive(root.key, "mac", purpose) },
    ]),
  );
}

/** HKDF-SHA256 without salt: the root key is already uniformly random (RFC 5869 §3.1). */
function derive(root: KeyObject, use: "kek" | "mac", purpose: Purpose): KeyObject {
  const info = `mooring/vault/v1/${use}/${purpose}`;
  return createSecretKey(Buffer.from(hkdfSync("sha256", root, "", info, 32)));
}

function keysFor(table: KeyTable, keyId: string, purpose: Purpose): PurposeKeys {
  const byPurpose = table.get(keyId);
  if (byPurpose === undefined) {
    throw new VaultError("unknown_key", `the root key ${keyId} is not loaded`);
  }
  const keys = byPurpose.get(purpose);
  if (keys === undefined) {
    throw new VaultError("purpose_withheld", `this process has no keys for ${purpose}`);
  }
  return keys;
}

function wrap(wrapping: KeyObject, keyId: string, dataKey: Buffer, associatedData: Buffer): Buffer {
  const iv = randomBytes(ivBytes);
  return Buffer.concat([iv, encrypt(wrapping, iv, dataKey, wrapData(keyId, associatedData))]);
}

function withDataKey<T>(
  table: KeyTable,
  purpose: Purpose,
  associatedData: Buffer,
  sealed: Sealed,
  use: (dataKey: Buffer) => T,
): T {
  const { wrapping } = keysFor(table, sealed.keyId, purpose);
  const iv = sealed.wrappedKey.subarray(0, ivBytes);
  const wrapped = sealed.wrappedKey.subarray(ivBytes);
  const dataKey = decrypt(wrapping, iv, wrapped, wrapData(sealed.keyId, associatedData));
  try {
    return use(dataKey);
  } finally {
    dataKey.fill(0);
  }
}

/** The wrapping also authenticates the key id, which is stored in the clear. */
function wrapData(keyId: string, associatedData: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`wrap|${keyId}|`), associatedData]);
}

function toBytes(plaintext: string | Uint8Array): Uint8Array {
  if (typeof plaintext !== "string") return plaintext;
  if (!plaintext.isWellFormed()) {
    throw new VaultError("malformed", "the plaintext is not well-formed Unicode");
  }
  return Buffer.from(plaintext, "utf8");
}

/**
 * The additional data `v1|purpose|tenant|table|row|column`; no two contexts give the same bytes.
 */
function additionalData(purpose: Purpose, context: SealContext): Buffer {
  const tenant = context.tenant === null ? "" : field(context.tenant);
  const location = [context.table, context.row, context.column].map(field);
  return Buffer.from(["v1", purpose, tenant, ...location].join("|"), "utf8");
}

function field(text: string): string {
  // A lone surrogate would become U+FFFD in UTF-8 and so equal another name.
  if (text === "" || !text.isWellFormed()) {
    throw new VaultError("malformed", "each field of the context must be non-empty Unicode text");
  }
  return text.replaceAll("%", "%25").replaceAll("|", "%7C");
}
