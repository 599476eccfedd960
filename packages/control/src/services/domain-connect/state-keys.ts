import type { Vault } from "@mooring/vault";

/** The keys of states, that of the current root key first: a rotation leaves customers under way alone. */
export function stateKeys(vault: Vault): readonly [Buffer, ...Buffer[]] {
  const others = vault.keyIds.filter((id) => id !== vault.currentKeyId);
  return [
    vault.deriveKey("domain_connect"),
    ...others.map((id) => vault.deriveKey("domain_connect", id)),
  ];
}
