import type { SealContext } from "@mooring/vault";

/** Binds the ciphertext to its row: moved to another tenant or credential it does not open. */
export function credentialContext(tenantId: string, credentialId: string): SealContext {
  return { tenant: tenantId, table: "credentials", row: credentialId, column: "sealed" };
}
