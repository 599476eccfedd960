import { parseHostname } from "@mooring/dns";
import type { Tx } from "../../db/engine/transaction.ts";
import type { ConnectionWithCertificate } from "../../db/queries/connection-reads.ts";
import { pageConnections, selectConnection } from "../../db/queries/connections.ts";
import type { Connection } from "../../domain/connection.ts";
import { AppError, notFound } from "../../domain/errors.ts";
import type { VisibleConnection } from "../../domain/event.ts";
import type { ServiceContext } from "../context.ts";
import { requireBoundDomain } from "../domains/hostname.ts";
import { type Listing, listPage } from "../paging.ts";
import type { ListConnections } from "./schemas.ts";

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

export type ConnectionDetail = ConnectionWithCertificate;

export async function getConnection(ctx: ServiceContext, id: string): Promise<ConnectionDetail> {
  const { tenantId, environment } = ctx.actor;
  const found = await ctx.runtime.connections.load({ tenantId, environment, id });
  if (!found) throw notFound("connection");
  requireReach(ctx, found.connection);
  return found;
}

export function listConnections(
  ctx: ServiceContext,
  query: ListConnections,
): Promise<Listing<VisibleConnection>> {
  const state = query.state ?? null;
  const hostname = query.hostname === undefined ? null : normalized(query.hostname);
  return listPage(ctx, ["connections", state, hostname], query, (page) =>
    pageConnections(ctx.runtime.database, ctx.actor, { state, hostname }, page),
  );
}

/** A name that cannot be one of ours is looked for as it is, and not found. */
function normalized(spelling: string): string {
  const parsed = parseHostname(spelling);
  return parsed.ok ? parsed.hostname : spelling.toLowerCase();
}
