import type { Purpose, SealContext } from "@mooring/vault";
import type { SealedPlace } from "../../db/queries/secrets.ts";
import { credentialContext } from "../credentials/seal.ts";
import { grantContext } from "../domain-connect/grant.ts";
import { keyContext } from "../domain-connect/keys.ts";
import { sealContext } from "../tokens/token-keys.ts";
import { secretContext } from "../webhooks/secret.ts";

/** A column of sealed values: its purpose, and the context that its rows were sealed with. */
export interface SealedColumn extends SealedPlace {
  readonly purpose: Purpose;
  readonly context: (id: string, tenantId: string) => SealContext;
}

const owned = { idColumn: "id", idType: "uuid", tenantColumn: "tenant_id" } as const;
const shared = { idColumn: "id", idType: "text", tenantColumn: null } as const;

/** The sealed columns of the control plane; other planes bring theirs to `rotateSecrets`. */
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
    only: { column: "purpose", value: "widget" },
    purpose: "token_signing",
    context: sealContext,
    ...shared,
  },
  {
    table: "domain_connect_keys",
    column: "sealed",
    purpose: "domain_connect",
    context: keyContext,
    ...shared,
    idType: "uuid",
  },
  {
    table: "domain_connect_grants",
    column: "sealed",
    purpose: "domain_connect",
    context: (id, tenantId) => grantContext(tenantId, id),
    ...owned,
    idColumn: "connection_id",
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
