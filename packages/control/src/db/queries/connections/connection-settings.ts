import type { Connection } from "../../../domain/connections/connection.ts";
import type { Tx } from "../../engine/transaction.ts";
import { connectionFields, jsonOrNull, toConnection } from "./connection-row.ts";
import { unmovedConnections } from "./connection-table.ts";
import { repeatRunningCheck } from "./due-connections.ts";

/** How the edge serves the hostname, where that differs from the application, and for whom. */
export type ConnectionSettings = Pick<
  Connection,
  "redirectTo" | "originUrl" | "originHostHeader" | "customerRef" | "edge"
>;

/** Whose hostname is meant: an application may have it with several customers. */
type Named = Pick<Connection, "applicationId" | "hostname" | "customerRef">;

/**
 * Writes the settings and counts the event that tells of them. A check that is running cannot write
 * any more, since it would number its events as this one: it is repeated at once.
 */
export async function storeSettings(
  tx: Tx,
  id: string,
  settings: ConnectionSettings,
  now: Date,
): Promise<Connection> {
  const row = await tx
    .updateTable(unmovedConnections)
    .set((eb) => ({
      redirect_to: settings.redirectTo,
      origin_url: settings.originUrl,
      origin_host_header: settings.originHostHeader,
      customer_ref: settings.customerRef,
      edge: jsonOrNull(settings.edge),
      sequence: eb("sequence", "+", 1),
      version: eb("version", "+", 1),
    }))
    .where("id", "=", id)
    .returning(connectionFields)
    .executeTakeFirstOrThrow();
  const connection = toConnection(row);
  await repeatRunningCheck(tx, connection, now);
  return connection;
}

export interface HostnameUse {
  readonly id: string;
  readonly redirectTo: string | null;
}

/** The customer's connections of a hostname that are not archived. */
export async function usesOfHostname(tx: Tx, named: Named): Promise<readonly HostnameUse[]> {
  return await tx
    .selectFrom(unmovedConnections)
    .select(["id", "redirect_to as redirectTo"])
    .where("hostname", "=", named.hostname)
    .where("application_id", "=", named.applicationId)
    .where("customer_ref", "is not distinct from", named.customerRef)
    .where("state", "<>", "archived")
    .execute();
}

/** The customer's connections that redirect to a hostname, locked for a change. */
export async function lockRedirecting(tx: Tx, target: Named): Promise<readonly Connection[]> {
  const rows = await redirecting(tx, target).orderBy("id").forUpdate().execute();
  return rows.map(toConnection);
}

/** Whether a connection other than that of `except` redirects to the hostname. */
export async function isRedirectTarget(
  tx: Tx,
  target: Named,
  except: string | null = null,
): Promise<boolean> {
  const query = redirecting(tx, target).limit(1);
  const others = except === null ? query : query.where("hostname", "<>", except);
  return (await others.executeTakeFirst()) !== undefined;
}

/** Groups a connection with others. */
export async function storeBatch(tx: Tx, id: string, batchId: string): Promise<void> {
  await tx
    .updateTable(unmovedConnections)
    .set({ batch_id: batchId })
    .where("id", "=", id)
    .execute();
}

function redirecting(tx: Tx, { applicationId, hostname, customerRef }: Named) {
  return tx
    .selectFrom(unmovedConnections)
    .select(connectionFields)
    .where("application_id", "=", applicationId)
    .where("redirect_to", "=", hostname)
    .where("customer_ref", "is not distinct from", customerRef)
    .where("state", "<>", "archived");
}

/** The customer's open connection of `other`, when one of the two redirects to the other. */
export async function selectPartner(
  tx: Tx,
  connection: Connection,
  other: string,
): Promise<Connection | null> {
  const rows = await tx
    .selectFrom(unmovedConnections)
    .select(connectionFields)
    .where("hostname", "=", other)
    .where("application_id", "=", connection.applicationId)
    .where("customer_ref", "is not distinct from", connection.customerRef)
    .where("state", "<>", "archived")
    .orderBy("created_at", "desc")
    .execute();
  const linked = rows.find(
    (row) => row.redirect_to === connection.hostname || connection.redirectTo === other,
  );
  return linked ? toConnection(linked) : null;
}

/** Which of two hostnames the customer's other one redirects to; null when neither does. */
export async function selectPairTarget(
  tx: Tx,
  { applicationId, customerRef }: Pick<Connection, "applicationId" | "customerRef">,
  names: readonly [string, string],
): Promise<string | null> {
  const row = await tx
    .selectFrom(unmovedConnections)
    .select("redirect_to")
    .where("hostname", "in", names)
    .where("redirect_to", "in", names)
    .where("application_id", "=", applicationId)
    .where("customer_ref", "is not distinct from", customerRef)
    .where("state", "<>", "archived")
    .limit(1)
    .executeTakeFirst();
  return row?.redirect_to ?? null;
}

/** Whether one of two hostnames of the same customer redirects to the other. */
export async function hasPairLink(
  tx: Tx,
  connection: Named & Pick<Connection, "redirectTo">,
  other: string,
): Promise<boolean> {
  const uses = await usesOfHostname(tx, { ...connection, hostname: other });
  if (connection.redirectTo === other) return uses.length > 0;
  return uses.some(({ redirectTo }) => redirectTo === connection.hostname);
}
