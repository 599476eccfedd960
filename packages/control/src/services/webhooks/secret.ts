import { randomBytes } from "node:crypto";
import type { SealContext, Vault } from "@mooring/vault";

/** `whsec_` and the standard base64 of 32 random bytes, as the Standard Webhooks libraries read it. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

export type SecretColumn = "sealed_secret" | "sealed_previous_secret";

export function secretContext(
  tenantId: string,
  endpointId: string,
  column: SecretColumn,
): SealContext {
  return { tenant: tenantId, table: "webhook_endpoints", row: endpointId, column };
}

export function sealSecret(
  vault: Vault,
  secret: string,
  tenantId: string,
  endpointId: string,
  column: SecretColumn,
): string {
  return vault.seal("webhook_secret", secretContext(tenantId, endpointId, column), secret);
}

export function openSecret(
  vault: Vault,
  sealed: string,
  tenantId: string,
  endpointId: string,
  column: SecretColumn,
): string {
  const context = secretContext(tenantId, endpointId, column);
  return vault.open("webhook_secret", context, sealed).toString("utf8");
}
