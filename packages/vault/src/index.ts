/**
 * Sealed values. A secret is stored only as text that opens only in the context it was sealed for,
 * with a root key that is never in the database; changing the root key re-wraps small data keys and
 * leaves the ciphertexts alone.
 */

export { formatKeyRing, parseKeyRing } from "./key-ring.ts";
export {
  generateRootKey,
  parseRootKeys,
  type RootKey,
  type RootKeys,
  VaultError,
  type VaultErrorKind,
} from "./root-key.ts";
export { generateStreamKey, openStream, sealStream } from "./sealed-stream.ts";
export type { SealContext } from "./vault.ts";
export { createVault, type KeyRing, type Purpose, purposes, type Vault } from "./vault.ts";
