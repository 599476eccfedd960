import type {
  DropInFields,
  DropInVendor,
  FallbackOrigin,
} from "../../../domain/applications/drop-in.ts";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { StoredFallbackOrigin } from "../../drop-in-tables.ts";
import { jsonColumn } from "../../engine/json-column.ts";
import type { Tx } from "../../engine/transaction.ts";

export interface StoredFields {
  readonly fields: DropInFields;
  readonly updatedAt: Date;
}

/** Replaces what was stored for the vendor. */
export async function storeFields(
  tx: Tx,
  { id, tenantId, environment }: Pick<Connection, "id" | "tenantId" | "environment">,
  vendor: DropInVendor,
  { fields, updatedAt }: StoredFields,
): Promise<void> {
  const text = jsonColumn(fields);
  await tx
    .insertInto("drop_in_fields")
    .values({
      connection_id: id,
      vendor,
      tenant_id: tenantId,
      environment,
      fields: text,
      updated_at: updatedAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["connection_id", "vendor"])
        .doUpdateSet({ fields: text, updated_at: updatedAt }),
    )
    .execute();
}

/** By connection; one that was not made through the vendor's API has none. */
export async function selectFields(
  tx: Tx,
  vendor: DropInVendor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredFields>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom("drop_in_fields")
    .select(["connection_id", "fields", "updated_at"])
    .where("vendor", "=", vendor)
    .where("connection_id", "in", [...ids])
    .execute();
  return new Map(
    rows.map((row) => [row.connection_id, { fields: row.fields, updatedAt: row.updated_at }]),
  );
}

/** Under a lock, for a change that depends on what is there; null when none was set. */
export async function lockFallbackOrigin(
  tx: Tx,
  applicationId: string,
): Promise<FallbackOrigin | null> {
  const row = await fallbackOrigins(tx, applicationId).forNoKeyUpdate().executeTakeFirst();
  return toFallbackOrigin(row);
}

export async function selectFallbackOrigin(
  tx: Tx,
  applicationId: string,
): Promise<FallbackOrigin | null> {
  return toFallbackOrigin(await fallbackOrigins(tx, applicationId).executeTakeFirst());
}

function fallbackOrigins(tx: Tx, applicationId: string) {
  return tx.selectFrom("applications").select("fallback_origin").where("id", "=", applicationId);
}

function toFallbackOrigin(
  row: { readonly fallback_origin: StoredFallbackOrigin | null } | undefined,
): FallbackOrigin | null {
  const stored = row?.fallback_origin ?? null;
  if (stored === null) return null;
  const { url, created_at: createdAt, updated_at: updatedAt } = stored;
  return { url, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
}

export async function storeFallbackOrigin(
  tx: Tx,
  applicationId: string,
  fallback: FallbackOrigin | null,
): Promise<void> {
  const stored: StoredFallbackOrigin | null = fallback && {
    url: fallback.url,
    created_at: fallback.createdAt.toISOString(),
    updated_at: fallback.updatedAt.toISOString(),
  };
  await tx
    .updateTable("applications")
    .set({ fallback_origin: stored && jsonColumn(stored) })
    .where("id", "=", applicationId)
    .execute();
}
