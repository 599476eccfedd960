/**
 * Sealed values. A secret is stored only as text that opens in the one place it was sealed for, with
 * a root key that is never in the database; changing the root key re-wraps small data keys and
 * leaves the ciphertexts alone.
 */
export type { SealContext } from "./context.ts";
export { type Purpose, purposes } from "./purpose.ts";
export { generateRootKey, parseRootKeys, type RootKey, type RootKeys } from "./root-key.ts";
export { createVault, type Vault } from "./vault.ts";
export { VaultError, type VaultErrorKind } from "./vault-error.ts";
