import { parseHostname } from "@mooring/dns";
import type { Tx } from "../../db/engine/transaction.ts";
import { selectClaimHolder } from "../../db/queries/claims.ts";
import {
  type ConnectionFilter,
  type ListFilter,
  pageFilteredConnections,
} from "../../db/queries/connection-pages.ts";
import type { ConnectionWithCertificate } from "../../db/queries/connections.ts";
import { selectConnection } from "../../db/queries/connections.ts";
import type { Connection } from "../../domain/connection.ts";
import { AppError, notFound } from "../../domain/errors.ts";
import type { ListedConnection } from "../../domain/listed-connection.ts";
import type { ClaimState } from "../../domain/observation.ts";
import type { ServiceContext } from "../context.ts";
import { requireBoundDomain } from "../domains/hostname.ts";
import { type Listing, listPage, readPage } from "../paging.ts";
import { watchConnection } from "../sandbox/watch.ts";
import type { ListConnections } from "./schemas.ts";

export type ConnectionDetail = ConnectionWithCertificate;

/**
 * Reads through the runtime's loader instead of `ctx.read`: clients poll this, and reads that arrive
 * together share one round trip. The loader confines each read to the actor's tenant and environment.
 */
export async function getConnection(ctx: ServiceContext, id: string): Promise<ConnectionDetail> {
  const { tenantId, environment } = ctx.actor;
  const found = await ctx.runtime.connections.load({ tenantId, environment, id });
  if (!found) throw notFound("connection");
  requireReach(ctx, found.connection);
  await watchConnection(ctx, found.connection);
  return { ...found, connection: shownTo(ctx, found.connection) };
}

/**
 * The usual lists are read through a loader too: pages that are requested together share one round
 * trip. Others are planned for the filters that they have.
 */
export function listConnections(
  ctx: ServiceContext,
  query: ListConnections,
): Promise<Listing<ListedConnection>> {
  const filter = filterOf(query);
  const { runtime, actor: scope } = ctx;
  const usual = usualFilter(filter);
  if (usual === null) {
    const list = ["connections", "filtered", JSON.stringify(filter)];
    return readPage(ctx, list, query, (tx, page) => pageFilteredConnections(tx, filter, page));
  }
  const { state, hostname } = usual;
  return listPage(ctx, ["connections", state, hostname], query, async (page) => {
    const found = await runtime.connectionPages.load({ scope, state, hostname, ...page });
    return found ?? { items: [], next: null };
  });
}

function filterOf(query: ListConnections): ListFilter {
  const { state, hostname, q, application_id, error_code, provider, wildcard, sort } = query;
  const states = state === undefined ? [] : [...new Set([state].flat())].sort();
  return {
    ...(states.length > 0 ? { states } : {}),
    ...(hostname === undefined ? {} : { hostname: normalized(hostname) }),
    ...(q === undefined ? {} : { q: q.toLowerCase() }),
    ...(application_id === undefined ? {} : { application_id }),
    ...(error_code === undefined ? {} : { error_code }),
    ...(provider === undefined ? {} : { provider }),
    ...(wildcard === undefined ? {} : { wildcard: wildcard === "true" }),
    ...(sort === undefined || sort === "created" ? {} : { sort }),
  };
}

/** Null when the filter has more than one state or a hostname. */
function usualFilter(filter: ListFilter): ConnectionFilter | null {
  const { states = [], hostname = null, ...others } = filter;
  if (states.length > 1 || Object.keys(others).length > 0) return null;
  return { state: states[0] ?? null, hostname };
}

/** A filter that is not a valid hostname is used as it is, and matches nothing. */
function normalized(spelling: string): string {
  const parsed = parseHostname(spelling);
  return parsed.ok ? parsed.hostname : spelling.toLowerCase();
}

/** The connection, when the actor may see it; `not_found` otherwise. */
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
function requireReach({ actor }: ServiceContext, connection: Connection): void {
  if (actor.kind === "widget" && connection.applicationId !== actor.applicationId) {
    throw notFound("connection");
  }
  requireBoundDomain(actor, connection.hostname);
}

/** A browser does not learn where the origin is: it could pass the edge by. */
export function shownTo({ actor }: ServiceContext, connection: Connection): Connection {
  return actor.kind === "widget" ? { ...connection, originUrl: null } : connection;
}

export function refuseArchived(connection: Connection): void {
  if (connection.state === "archived") {
    throw new AppError("conflict", "the connection is archived");
  }
}

/** Who holds the connection's hostname. Call it under the hostname's lock before deciding on it. */
export async function readClaimState(
  tx: Tx,
  { id, hostname }: Pick<Connection, "id" | "hostname">,
): Promise<ClaimState> {
  const holder = await selectClaimHolder(tx, hostname);
  if (holder === null) return "free";
  if (holder.connectionId === id) return "own";
  return holder.state === "drifted" ? "drifted" : "held";
}
