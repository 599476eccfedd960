import type { Tx } from "../../db/engine/transaction.ts";
import { selectConnection } from "../../db/queries/connections.ts";
import type { Connection } from "../../domain/connection.ts";
import { AppError, notFound } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";
import { requireBoundDomain } from "../domains/hostname.ts";

/** The connection, if this actor may see it. */
export async function requireConnection(
  ctx: ServiceContext,
  tx: Tx,
  id: string,
): Promise<Connection> {
  const connection = await selectConnection(tx, id);
  if (!connection) throw notFound("connection");
  requireReach(ctx, connection);
  return connection;
}

/** A widget token reaches its own application and, when bound, its own domain. */
export function requireReach({ actor }: ServiceContext, connection: Connection): void {
  if (actor.kind === "widget" && connection.applicationId !== actor.applicationId) {
    throw notFound("connection");
  }
  requireBoundDomain(actor, connection.hostname);
}

export function refuseArchived(connection: Connection): void {
  if (connection.state === "archived") {
    throw new AppError("conflict", "the connection is archived");
  }
}
