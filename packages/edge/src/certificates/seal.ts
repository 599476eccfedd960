import type { SealContext } from "@mooring/vault";

/** Binds a certificate's key to its name and claim: an older claim's key does not open as a newer's. */
export function keyContext(tenantId: string, hostname: string, epoch: number): SealContext {
  return {
    tenant: tenantId,
    table: "certificates",
    row: `${hostname}@${epoch}`,
    column: "sealed_key",
  };
}
