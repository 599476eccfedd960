import { baseName } from "@mooring/dns";
import { sql } from "kysely";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { Tx } from "../../engine/transaction.ts";

/**
 * Held until the transaction ends, before the hostname's own lock: a name and its wildcard, created
 * at the same time, get one label.
 */
export async function lockValidation(tx: Tx, base: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`validation:${base}`}, 0))`.execute(tx);
}

type Labelled = Pick<
  Connection,
  "applicationId" | "customerRef" | "hostname" | "mayUseCredentials"
>;

/**
 * The label that connections of the application and customer for the name or its wildcard have;
 * null for the first, and where another customer has a connection with it: a record that leads to
 * it would prove for both. A customer that the tenant does not name shares the label of a
 * connection that is in use alone: made by the tenant as this one is, or by the same token.
 */
export async function selectValidationLabel(
  tx: Tx,
  connection: Labelled,
  tokenId: string | null = null,
): Promise<string | null> {
  const { applicationId, customerRef, mayUseCredentials } = connection;
  if (customerRef === null && !mayUseCredentials && tokenId === null) return null;
  const base = baseName(connection.hostname);
  const named = tx
    .selectFrom("connections")
    .select("validation_label")
    .where(
      sql<boolean>`not exists (select from connections o
        where o.hostname in (${base}, ${`*.${base}`}) and o.validation_label = connections.validation_label
          and o.customer_ref is distinct from ${customerRef})`,
    )
    .where("hostname", "in", [base, `*.${base}`])
    .where("application_id", "=", applicationId)
    .where("customer_ref", "is not distinct from", customerRef)
    .where("validation_label", "is not", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1);
  const used = named.where("state", "not in", ["archived", "failed"]);
  const unnamed = mayUseCredentials
    ? used.where("may_use_credentials", "=", true)
    : used.where(
        sql<boolean>`exists (select from token_connections t
          where t.token_id = ${tokenId} and t.connection_id = connections.id)`,
      );
  const row = await (customerRef === null ? unnamed : named).executeTakeFirst();
  return row?.validation_label ?? null;
}

/**
 * Name servers read the change log from where they stopped; the values of orders that were given up
 * go too.
 */
export async function sweepValidation(tx: Tx, now: Date): Promise<void> {
  await sql`delete from validation_changes
    where id < (select max(id) from validation_changes) - ${retainedChanges}`.execute(tx);
  await sql`delete from validation_values where expires_at <= ${now}`.execute(tx);
}

const retainedChanges = 10_000;
