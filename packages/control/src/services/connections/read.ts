import { parseHostname } from "@mooring/dns";
import type { Tx } from "../../db/engine/transaction.ts";
import { selectClaimHolder } from "../../db/queries/claims.ts";
import { pageCustomerConnections, selectCutovers } from "../../db/queries/connection-pages.ts";
import type { ConnectionWithCertificate } from "../../db/queries/connections.ts";
import { selectConnection } from "../../db/queries/connections.ts";
import type { Connection, VisibleConnection } from "../../domain/connection.ts";
import { AppError, notFound } from "../../domain/errors.ts";
import type { ClaimState } from "../../domain/observation.ts";
import { type ValidationAlias, validationAlias } from "../../domain/validation.ts";
import type { ServiceContext } from "../context.ts";
import { customerOf } from "../customer.ts";
import { type Listing, listPage, readPage } from "../paging.ts";
import { watchConnection } from "../sandbox/watch.ts";
import { isReached, isReachedIn } from "./reach.ts";
import type { ListConnections } from "./schemas.ts";

export interface ConnectionDetail extends ConnectionWithCertificate {
  /** The CNAME that delegates validation; null where it is not delegated. */
  readonly validation: ValidationAlias | null;
}

/**
 * Reads through the runtime's loader instead of `ctx.read`: clients poll this, and reads that arrive
 * together share one round trip. The loader confines each read to the actor's tenant and environment.
 */
export async function getConnection(ctx: ServiceContext, id: string): Promise<ConnectionDetail> {
  const { tenantId, environment } = ctx.actor;
  const found = await ctx.runtime.connections.load({ tenantId, environment, id });
  if (!found || !(await isReached(ctx, found.connection))) throw notFound("connection");
  await watchConnection(ctx, found.connection);
  const validation = validationOf(ctx, found.connection);
  return { ...found, connection: shownTo(ctx, found.connection), validation };
}

export function validationOf(
  { runtime }: ServiceContext,
  connection: Connection,
): ValidationAlias | null {
  return validationAlias(runtime.config.validationZone, connection);
}

/**
 * Reads through a loader too, unless a customer's are asked for: pages that are requested together share
 * one round trip. A widget token lists its customer's connections of its application.
 */
export async function listConnections(
  ctx: ServiceContext,
  query: ListConnections,
): Promise<Listing<VisibleConnection>> {
  const state = query.state ?? null;
  const hostname = query.hostname === undefined ? null : normalized(query.hostname);
  const { runtime, actor: scope } = ctx;
  const customerRef = customerOf(scope, query.customer_ref);
  if (customerRef !== null) {
    const isWidget = scope.kind === "widget";
    const applicationId = isWidget ? scope.applicationId : null;
    const domain = isWidget ? scope.domain : null;
    const filter = { customerRef, applicationId, domain, state, hostname };
    const list = ["connections", "customer", ...Object.values(filter)];
    const listing = await readPage(ctx, list, query, (tx, page) =>
      pageCustomerConnections(tx, scope, filter, page),
    );
    return { ...listing, items: listing.items.map((item) => shownTo(ctx, item)) };
  }
  return listPage(ctx, ["connections", state, hostname], query, async (page) => {
    const found = await runtime.connectionPages.load({ scope, state, hostname, ...page });
    if (!found) return { items: [], next: null };
    const ids = found.items.map(({ id }) => id);
    const cutovers = await ctx.read((tx) => selectCutovers(tx, ids));
    const items = found.items.map((one) => ({ ...one, cutover: cutovers.get(one.id) ?? null }));
    return { ...found, items };
  });
}

/** A filter that is not a valid hostname is used as it is, and matches nothing. */
function normalized(spelling: string): string {
  const parsed = parseHostname(spelling, { allowsWildcard: true });
  return parsed.ok ? parsed.hostname : spelling.toLowerCase();
}

/** The connection, when the actor may see it; `not_found` otherwise. */
export async function requireConnection(
  ctx: ServiceContext,
  tx: Tx,
  id: string,
): Promise<Connection> {
  const connection = await selectConnection(tx, id);
  const isShown = connection !== null && (await isReachedIn(tx, ctx.actor, connection));
  if (!isShown) throw notFound("connection");
  return connection;
}

/** A browser does not learn where the origin is: it could pass the edge by. */
export function shownTo<T extends VisibleConnection>({ actor }: ServiceContext, connection: T): T {
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
