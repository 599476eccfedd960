import { sql } from "kysely";
import type { DropInFields, DropInVendor } from "../../../domain/applications/drop-in.ts";
import type { Connection } from "../../../domain/connections/connection.ts";
import { jsonColumn } from "../../engine/json-column.ts";
import type { Tx } from "../../engine/transaction.ts";
import { connectionFields, toConnection } from "../connections/connection-row.ts";
import { unmovedConnections } from "../connections/connection-table.ts";

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

/** The connections whose redirect waits for this hostname to be added, locked for a change. */
export async function lockWaitingRedirects(
  tx: Tx,
  { applicationId, hostname }: Pick<Connection, "applicationId" | "hostname">,
): Promise<readonly Connection[]> {
  const rows = await tx
    .selectFrom(unmovedConnections)
    .select(connectionFields)
    .where("application_id", "=", applicationId)
    .where("customer_ref", "is", null)
    .where("redirect_to", "is", null)
    .where("state", "<>", "archived")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("drop_in_fields")
        .select("connection_id")
        .where(sql`fields ->> 'redirect'`, "=", hostname),
    )
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map(toConnection);
}
