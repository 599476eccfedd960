import type { SealContext } from "@mooring/vault";

/** Where each of the edge's secrets is kept; moved to another row or tenant it does not open. */
export function certificateKeyContext(tenantId: string, hostname: string): SealContext {
  return { tenant: tenantId, table: "certificates", row: hostname, column: "sealed_key" };
}

export function orderKeyContext(hostname: string): SealContext {
  return { tenant: null, table: "acme_orders", row: hostname, column: "sealed_key" };
}

export function accountKeyContext(directory: string): SealContext {
  return { tenant: null, table: "acme_accounts", row: directory, column: "sealed_key" };
}

export const localCaContext: SealContext = {
  tenant: null,
  table: "local_ca",
  row: "1",
  column: "sealed_key",
};

export function assertionKeyContext(id: string): SealContext {
  return { tenant: null, table: "signing_keys", row: id, column: "sealed" };
}
