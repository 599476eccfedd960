import { parseHostname } from "@mooring/dns";
import type { Tx } from "../../db/engine/transaction.ts";
import { selectCertificate } from "../../db/queries/certificates/certificates.ts";
import { selectClaimHolder } from "../../db/queries/connections/claims.ts";
import {
  type ConnectionFilter,
  type ListFilter,
  pageCustomerConnections,
  pageFilteredConnections,
} from "../../db/queries/connections/connection-pages.ts";
import { selectConnection } from "../../db/queries/connections/connections.ts";
import type { ConnectionWithCertificate } from "../../db/queries/connections/read-connections.ts";
import { selectLastFault } from "../../db/queries/connections/timeline.ts";
import type { CertificateFault } from "../../domain/certificates/certificate.ts";
import { type ValidationAlias, validationAlias } from "../../domain/certificates/validation.ts";
import type { Connection, VisibleConnection } from "../../domain/connections/connection.ts";
import type { ListedConnection } from "../../domain/connections/listed-connection.ts";
import type { ClaimState } from "../../domain/connections/observation.ts";
import { stuckSince } from "../../domain/connections/stuck.ts";
import { AppError, notFound } from "../../domain/errors.ts";
import type { Actor } from "../../domain/tenancy.ts";
import { requireOwnCustomer } from "../applications/customer.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, listPage, readPage } from "../paging.ts";
import { watchConnection } from "../sandbox/watch.ts";
import { type NamedRecords, namedRecords } from "./needed.ts";
import { findPartner, mayHavePartner } from "./partner.ts";
import { isReached, isReachedIn } from "./reach.ts";
import type { ListConnections } from "./schemas.ts";

export interface ConnectionDetail extends ConnectionWithCertificate, NamedRecords {
  /** The CNAME that delegates validation; null where it is not delegated. */
  readonly validation: ValidationAlias | null;
  /** The other connection of a pair. */
  readonly partnerId: string | null;
  /** Why the last attempt to obtain a certificate failed; absent where it was not read. */
  readonly fault?: CertificateFault | null;
}

/**
 * Reads through the runtime's loader instead of `ctx.read`: clients poll this, and reads that
 * arrive together share one round trip. The loader confines each read to the actor's tenant and
 * environment.
 */
export async function getConnection(ctx: ServiceContext, id: string): Promise<ConnectionDetail> {
  const { tenantId, environment } = ctx.actor;
  const found = await ctx.runtime.connections.load({ tenantId, environment, id });
  if (!found || !(await isReached(ctx, found.connection))) throw notFound("connection");
  await watchConnection(ctx, found.connection);
  const validation = connectionValidation(ctx, found.connection);
  const partnerId = await findPartnerId(ctx, found.connection);
  const fault = await findFault(ctx, found);
  const named = await namedRecords(ctx.runtime, found.connection);
  const connection = shownTo(ctx, found.connection);
  return { ...found, connection, validation, partnerId, fault, ...named };
}

/** Read only where there is one, which is rare: clients poll connections. */
async function findFault(
  ctx: ServiceContext,
  { connection, certificate }: ConnectionWithCertificate,
): Promise<CertificateFault | null> {
  const isGivenUp = connection.errorCode === "certificate_timeout";
  if (!isGivenUp && certificate?.errorCode == null) return null;
  return ctx.read((tx) => readCertificateFault(tx, connection));
}

/** The certificate's row is deleted when the connection is given up; the timeline remembers. */
export async function readCertificateFault(
  tx: Tx,
  connection: Connection,
): Promise<CertificateFault | null> {
  const certificate = await selectCertificate(tx, connection);
  if (certificate !== null) return certificate.fault ?? null;
  return connection.errorCode === "certificate_timeout" ? selectLastFault(tx, connection) : null;
}

async function findPartnerId(ctx: ServiceContext, connection: Connection): Promise<string | null> {
  if (!mayHavePartner(connection)) return null;
  return (await ctx.read((tx) => findPartner(ctx, tx, connection)))?.id ?? null;
}

export function connectionValidation(
  { runtime }: ServiceContext,
  connection: Connection,
): ValidationAlias | null {
  return validationAlias(runtime.config.validationZone, connection);
}

/**
 * The usual lists are read through a loader too: pages that are requested together share one round
 * trip. Others are planned for the filters that they have. A widget token lists its customer's
 * connections of its application.
 */
export async function listConnections(
  ctx: ServiceContext,
  query: ListConnections,
): Promise<Listing<ListedConnection>> {
  const { runtime, actor: scope } = ctx;
  const customerRef = requireOwnCustomer(scope, query.customer_ref);
  const filter = toListFilter(query);
  const usual = usualFilter(filter);
  if (customerRef !== null)
    return await listOfCustomer(ctx, query, { ...filter, customer_ref: customerRef });
  if (usual === null) {
    const list = ["connections", "filtered", JSON.stringify(filter)];
    return readPage(ctx, list, query, (tx, page) =>
      pageFilteredConnections(tx, filter, page, longestUsual(ctx)),
    );
  }
  const { state, hostname } = usual;
  return listPage(ctx, ["connections", state, hostname], query, async (page) => {
    const found = await runtime.connectionPages.load({ scope, state, hostname, ...page });
    return found ?? { items: [], next: null };
  });
}

/** The plain list of a customer has an index of its own. */
async function listOfCustomer(
  ctx: ServiceContext,
  query: ListConnections,
  requested: ListFilter & { readonly customer_ref: string },
): Promise<Listing<ListedConnection>> {
  const { actor } = ctx;
  const filter = { ...requested, ...tokenFilter(actor) };
  // A filter that contradicts what the token is bound to leaves nothing.
  const isEmpty = (["application_id", "hostname"] as const).some(
    (name) => requested[name] !== undefined && requested[name] !== filter[name],
  );
  if (isEmpty) return { items: [], nextCursor: null };
  const { customer_ref: customerRef, application_id: applicationId = null, ...others } = filter;
  const usual = usualFilter(others);
  const list = ["connections", "customer", JSON.stringify(filter)];
  const listing = await readPage(ctx, list, query, (tx, page) =>
    usual === null
      ? pageFilteredConnections(tx, filter, page, longestUsual(ctx))
      : pageCustomerConnections(tx, actor, { customerRef, applicationId, ...usual }, page),
  );
  return { ...listing, items: listing.items.map((item) => shownTo(ctx, item)) };
}

function longestUsual({ runtime, now }: ServiceContext) {
  return stuckSince(now(), runtime.config.stallAfterMs);
}

/** What a widget token adds to the filters of its list. */
function tokenFilter(actor: Actor): Pick<ListFilter, "application_id" | "hostname"> {
  if (actor.kind !== "widget") return {};
  const { applicationId: application_id, domain } = actor;
  return domain === null ? { application_id } : { application_id, hostname: domain };
}

function toListFilter(query: ListConnections): ListFilter {
  const { state, hostname, q, application_id, batch_id, error_code } = query;
  const { actor, stuck, provider, wildcard, sort } = query;
  const states = state === undefined ? [] : [...new Set([state].flat())].sort();
  const actors = actor === undefined ? [] : [...new Set([actor].flat())].sort();
  return {
    ...(states.length > 0 ? { states } : {}),
    ...(hostname === undefined ? {} : { hostname: normalized(hostname) }),
    ...(q === undefined ? {} : { q }),
    ...(application_id === undefined ? {} : { application_id }),
    ...(batch_id === undefined ? {} : { batch_id }),
    ...(error_code === undefined ? {} : { error_code }),
    ...(actors.length > 0 ? { actors } : {}),
    ...(stuck === undefined ? {} : { stuck: true }),
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
  return actor.kind === "widget" ? { ...connection, originUrl: null, edge: null } : connection;
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
