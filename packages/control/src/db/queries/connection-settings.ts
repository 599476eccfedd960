import { sql } from "kysely";
import type { Connection } from "../../domain/connection.ts";
import type { Tx } from "../engine/transaction.ts";
import { connectionColumns, toConnection } from "./connections.ts";
import { announceDue } from "./due-connections.ts";

/** How the edge serves the hostname, where that differs from the application. */
export type ConnectionSettings = Pick<Connection, "redirectTo" | "originUrl" | "originHostHeader">;

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
    .updateTable("connections")
    .set((eb) => ({
      redirect_to: settings.redirectTo,
      origin_url: settings.originUrl,
      origin_host_header: settings.originHostHeader,
      sequence: eb("sequence", "+", 1),
      version: eb("version", "+", 1),
      due_at: sql<Date | null>`case when leased_until > ${now}::timestamptz and due_at is not null
        then ${now}::timestamptz else due_at end`,
      leased_until: null,
    }))
    .where("id", "=", id)
    .returning(connectionColumns)
    .executeTakeFirstOrThrow();
  announceDue(tx, "connections");
  return toConnection(row);
}

export interface HostnameUse {
  readonly id: string;
  readonly redirectTo: string | null;
}

/** The application's connections of a hostname that are not archived. */
export async function usesOfHostname(
  tx: Tx,
  applicationId: string,
  hostname: string,
): Promise<readonly HostnameUse[]> {
  return await tx
    .selectFrom("connections")
    .select(["id", "redirect_to as redirectTo"])
    .where("hostname", "=", hostname)
    .where("application_id", "=", applicationId)
    .where("state", "<>", "archived")
    .execute();
}

/** The application's connections that redirect to a hostname, locked for a change. */
export async function lockRedirecting(
  tx: Tx,
  applicationId: string,
  hostname: string,
): Promise<readonly Connection[]> {
  const rows = await redirecting(tx, applicationId, hostname).orderBy("id").forUpdate().execute();
  return rows.map(toConnection);
}

export async function isRedirectTarget(
  tx: Tx,
  applicationId: string,
  hostname: string,
): Promise<boolean> {
  const row = await redirecting(tx, applicationId, hostname).limit(1).executeTakeFirst();
  return row !== undefined;
}

function redirecting(tx: Tx, applicationId: string, hostname: string) {
  return tx
    .selectFrom("connections")
    .select(connectionColumns)
    .where("application_id", "=", applicationId)
    .where("redirect_to", "=", hostname)
    .where("state", "<>", "archived");
}
