import { type Purpose, type SealContext, VaultError } from "@mooring/vault";
import {
  countSealedNotUnder,
  deleteOtherKeyChecks,
  lockSealedBatch,
  retireSigningKeys,
  type SealedLocation,
  type SealedRow,
  selectSealedColumns,
  updateSealed,
} from "../../db/queries/operator/secrets.ts";
import { clientKeyContext } from "../applications/origin-tls.ts";
import { importedKeyContext } from "../certificates/imported.ts";
import { credentialContext } from "../credentials/credentials.ts";
import { grantContext } from "../domain-connect/grant.ts";
import { keyContext } from "../domain-connect/keys.ts";
import { oauthContext } from "../oauth/grant.ts";
import type { Runtime } from "../runtime.ts";
import { accessContext } from "../sending/account.ts";
import { secretContext } from "../webhooks/endpoints.ts";
import { checkRootKeys } from "./check-root-keys.ts";
import { signingKeyContext } from "./signing-keys.ts";

const batchSize = 500;

export interface RotationProgress {
  readonly column: string;
  readonly rewrapped: number;
  readonly total: number;
}

export interface RotationReport {
  readonly currentKeyId: string;
  readonly rewrapped: number;
  /** `table.column id` of values that no loaded key opens; they are left unchanged. */
  readonly unreadable: readonly string[];
  /**
   * Values sealed under another key while this ran, by a process that does not have the new key
   * yet.
   */
  readonly remaining: number;
  /** `table.column` of values under another key whose seal context is not listed here. */
  readonly uncovered: readonly string[];
  /** Root keys that no value needs any more. */
  readonly retiredKeyIds: readonly string[];
}

export interface RotationOptions {
  readonly onProgress?: (progress: RotationProgress) => void;
  /** Sealed columns besides the control plane's own. */
  readonly columns?: readonly SealedColumn[];
}

/**
 * Rewraps every sealed value under the current root key, in transactions of 500 rows. Each row
 * opens with the old or the new key at any time, and the next run finishes an interrupted one. The
 * old keys are retired only when no value is left under them.
 */
export async function rotateSecrets(
  runtime: Runtime,
  options: RotationOptions = {},
): Promise<RotationReport> {
  await checkRootKeys(runtime);
  const columns = [...sealedColumns, ...(options.columns ?? [])];
  const currentKeyId = runtime.vault.currentKeyId;
  const unreadable: string[] = [];
  let rewrapped = 0;
  for (const column of columns) {
    rewrapped += await rotateColumn(runtime, column, unreadable, options.onProgress);
  }
  const { remaining, ...left } = await retireKeys(runtime, columns);
  return {
    currentKeyId,
    rewrapped,
    unreadable,
    remaining: Math.max(0, remaining - unreadable.length),
    ...left,
  };
}

async function rotateColumn(
  runtime: Runtime,
  column: SealedColumn,
  unreadable: string[],
  onProgress: RotationOptions["onProgress"],
): Promise<number> {
  const { database, vault } = runtime;
  const name = columnName(column);
  const total = await database.transaction((tx) =>
    countSealedNotUnder(tx, column, vault.currentKeyId),
  );
  let rewrapped = 0;
  let after: string | null = null;
  for (;;) {
    const batch = { keyId: vault.currentKeyId, after, limit: batchSize };
    const done = await database.transaction(async (tx) => {
      const rows = await lockSealedBatch(tx, column, batch);
      const fresh = rows.map((row) => rewrap(runtime, column, row));
      const readable = fresh.filter((row) => row !== null);
      if (readable.length > 0) await updateSealed(tx, column, readable);
      const lost = rows.filter((_, index) => fresh[index] === null).map((row) => row.id);
      return { last: rows.at(-1)?.id ?? null, count: readable.length, lost };
    });
    if (done.last === null) return rewrapped;
    after = done.last;
    rewrapped += done.count;
    unreadable.push(...done.lost.map((id) => `${name} ${id}`));
    onProgress?.({ column: name, rewrapped, total });
  }
}

function rewrap(
  { vault }: Runtime,
  column: SealedColumn,
  row: SealedRow,
): Pick<SealedRow, "id" | "sealed"> | null {
  try {
    const context = column.context(row.id, row.tenantId ?? "");
    const sealed = vault.rewrap(column.purpose, context, row.sealed);
    return { id: row.id, sealed: sealed ?? row.sealed };
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}

/**
 * Counts in every sealed column of the schema, listed or not: a key that is still needed must stay.
 */
async function retireKeys(
  runtime: Runtime,
  columns: readonly SealedColumn[],
): Promise<Pick<RotationReport, "remaining" | "uncovered" | "retiredKeyIds">> {
  const keyId = runtime.vault.currentKeyId;
  const known = new Set(columns.map(columnName));
  return runtime.transaction(async (tx) => {
    const uncovered: string[] = [];
    let remaining = 0;
    for (const sealed of await selectSealedColumns(tx)) {
      const count = await countSealedNotUnder(tx, sealed, keyId);
      if (known.has(columnName(sealed))) remaining += count;
      else if (count > 0) uncovered.push(columnName(sealed));
    }
    const isDone = remaining === 0 && uncovered.length === 0;
    return {
      remaining,
      uncovered,
      retiredKeyIds: isDone ? await deleteOtherKeyChecks(tx, keyId) : [],
    };
  });
}

function columnName(sealed: { readonly table: string; readonly column: string }): string {
  return `${sealed.table}.${sealed.column}`;
}

/** A column of sealed values: its purpose, and the context that its rows are sealed with. */
export interface SealedColumn extends SealedLocation {
  readonly purpose: Purpose;
  readonly context: (id: string, tenantId: string) => SealContext;
}

const owned = { idColumn: "id", idType: "uuid", tenantColumn: "tenant_id" } as const;
const shared = { idColumn: "id", idType: "text", tenantColumn: null } as const;

/** The sealed columns of the control plane; other planes pass theirs to `rotateSecrets`. */
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
    context: signingKeyContext,
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
    table: "oauth_grants",
    column: "sealed",
    purpose: "dns_credential",
    context: (id, tenantId) => oauthContext(tenantId, id),
    ...owned,
  },
  {
    table: "sending_domains",
    column: "sealed_access",
    purpose: "dns_credential",
    context: (id, tenantId) => accessContext(tenantId, id),
    ...owned,
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
    table: "imported_certificates",
    column: "sealed_key",
    purpose: "certificate_key",
    context: (id, tenantId) => importedKeyContext(tenantId, id),
    ...owned,
    idColumn: "connection_id",
  },
  {
    table: "applications",
    column: "sealed_client_key",
    purpose: "origin_client_key",
    context: (id, tenantId) => clientKeyContext(tenantId, id),
    ...owned,
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
  {
    table: "webhook_endpoints",
    column: "sealed_url",
    purpose: "webhook_secret",
    context: (id, tenantId) => secretContext(tenantId, id, "sealed_url"),
    ...owned,
  },
];

/**
 * For a leaked key: everyone who reads the key set from now on refuses its signatures. Within a
 * minute the edges find no key left, create one and sign with it at once.
 */
export async function retireAssertionKeys(
  runtime: Pick<Runtime, "transaction" | "clock">,
): Promise<readonly string[]> {
  return runtime.transaction((tx) => retireSigningKeys(tx, "assertion", runtime.clock.now()));
}
