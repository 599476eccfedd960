import type { SealedColumn } from "@mooring/control";
import {
  accountKeyContext,
  assertionKeyContext,
  certificateKeyContext,
  localCaContext,
  orderKeyContext,
  ticketKeyContext,
} from "@mooring/edge";

const column = "sealed_key";
const shared = { column, idType: "text", tenantColumn: null } as const;

/** The sealed columns of the edge, for a rotation of the root key; control does not know them. */
export const edgeColumns: readonly SealedColumn[] = [
  {
    table: "certificates",
    column,
    idColumn: "hostname",
    idType: "text",
    tenantColumn: "tenant_id",
    purpose: "certificate_key",
    context: (hostname, tenantId) => certificateKeyContext(tenantId, hostname),
  },
  {
    ...shared,
    table: "acme_orders",
    idColumn: "hostname",
    purpose: "certificate_key",
    context: orderKeyContext,
  },
  {
    ...shared,
    table: "acme_accounts",
    idColumn: "directory",
    purpose: "acme_account",
    context: accountKeyContext,
  },
  {
    ...shared,
    table: "local_ca",
    idColumn: "id",
    idType: "int",
    purpose: "local_ca",
    context: () => localCaContext,
  },
  {
    ...shared,
    table: "signing_keys",
    column: "sealed",
    only: { column: "purpose", value: "assertion" },
    idColumn: "id",
    purpose: "assertion_signing",
    context: assertionKeyContext,
  },
  {
    ...shared,
    table: "ticket_keys",
    column: "sealed",
    idColumn: "id",
    idType: "uuid",
    purpose: "ticket_key",
    context: ticketKeyContext,
  },
];
