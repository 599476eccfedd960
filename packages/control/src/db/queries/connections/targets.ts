import { baseName } from "@mooring/dns";
import { sql } from "kysely";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { Tx } from "../../engine/transaction.ts";
import { connectionFields, toConnection } from "./connection-row.ts";
import { unmovedConnections } from "./connection-table.ts";

/** Whose a target is. */
type Owner = Pick<
  Connection,
  "tenantId" | "environment" | "applicationId" | "customerRef" | "hostname"
>;

/**
 * The label that belongs to the customer and hostname; null where there is none yet. Customers that
 * the tenant does not name are all alike: what one has left behind is not the next one's.
 */
export async function selectTargetLabel(tx: Tx, owner: Owner): Promise<string | null> {
  if (owner.customerRef === null) return null;
  const row = await tx
    .selectFrom("targets")
    .select("label")
    .where("hostname", "=", owner.hostname)
    .where("application_id", "=", owner.applicationId)
    .where("customer_ref", "=", owner.customerRef)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.label ?? null;
}

/** The label is theirs from now on. Call it under the hostname's lock. */
export async function insertTarget(tx: Tx, owner: Owner, label: string, now: Date): Promise<void> {
  await tx
    .insertInto("targets")
    .values({
      label,
      tenant_id: owner.tenantId,
      environment: owner.environment,
      application_id: owner.applicationId,
      customer_ref: owner.customerRef,
      hostname: owner.hostname,
      created_at: now,
    })
    .execute();
}

/** The connection has another customer from now on, who has its target, and the former has not. */
export async function passTarget(
  tx: Tx,
  label: string,
  customerRef: Connection["customerRef"],
): Promise<void> {
  await tx
    .updateTable("targets")
    .set({ customer_ref: customerRef })
    .where("label", "=", label)
    .execute();
}

const labelFields = { target_label: "targetLabel", validation_label: "validationLabel" } as const;
type LabelColumn = keyof typeof labelFields;

/** The other connections with the label that are not archived, under their locks. */
export async function lockSharing(
  tx: Tx,
  connection: Connection,
  column: LabelColumn,
): Promise<readonly Connection[]> {
  const base = baseName(connection.hostname);
  const rows = await tx
    .selectFrom(unmovedConnections)
    .select(connectionFields)
    .where("hostname", "in", [base, `*.${base}`])
    .where(column, "=", connection[labelFields[column]])
    .where("id", "<>", connection.id)
    .where("state", "<>", "archived")
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map(toConnection);
}

/** In the records, too; a check that is running cannot write what it has seen of the old one. */
export async function replaceLabel(
  tx: Tx,
  connection: Connection,
  column: LabelColumn,
  label: string,
): Promise<void> {
  const old = connection[labelFields[column]];
  await tx
    .updateTable(unmovedConnections)
    .set((eb) => ({
      [column]: label,
      desired_records: sql`replace(desired_records::text, ${old}, ${label})::jsonb`,
      version: eb("version", "+", 1),
    }))
    .where("id", "=", connection.id)
    .execute();
}
