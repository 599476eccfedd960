import type { Purpose, SealContext } from "@mooring/vault";
import type { SealedPlace } from "../../db/sealed-values.ts";
import { credentialContext } from "../credentials/seal.ts";
import { sealContext } from "../tokens/token-keys.ts";
import { type SecretColumn, secretContext, secretContext } from "../webhooks/secret.ts";

/** A column of sealed values: its purpose, and the context that its rows were sealed with. */
export interface SealedColumn extends SealedPlace {
  readonly purpose: Purpose;
  readonly context: (id: string, tenantId: string) => SealContext;
}

const owned = { idType: "uuid", tenantColumn: "tenant_id" } as const;
const shared = { idType: "text", tenantColumn: null } as const;

/** Every sealed column there is. One that is missing here is lost when an old root key is dropped. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: "credentials",
    column: "sealed",
    purpose: "dns_credential",
    context: (id, tenantId) => credentialContext(tenantId, id),
    ...owned,
  },
  {
    table: "signing_keys",
    column: "sealed",
    purpose: "token_signing",
    context: sealContext,
    ...shared,
  },
  {
    table: "webhook_endpoints",
    column: "sealed_secret",
    purpose: "webhook_secret",
    context: (id, tenantId) => secretContext(tenantId, id, "sealed_secret"),
    ...owned,
  },
  {
    table: "webhook_endpoints",
    column: "sealed_previous_secret",
    purpose: "webhook_secret",
    context: (id, tenantId) => secretContext(tenantId, id, "sealed_previous_secret"),
    ...owned,
  },
];
