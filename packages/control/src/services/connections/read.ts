import { parseHostname } from "@mooring/dns";
import type { Tx } from "../../db/engine/transaction.ts";
import { selectCertificate } from "../../db/queries/certificates/certificates.ts";
import { selectClaimHolder } from "../../db/queries/connections/claims.ts";
import {
  type ConnectionFilter,
  pageCustomerConnections,
  pageFilteredConnections,
} from "../../db/queries/connections/connection-pages.ts";
import { selectConnection } from "../../db/queries/connections/connections.ts";
import type { ListFilter } from "../../db/queries/connections/list-filter.ts";
import type { ConnectionWithCertificate } from "../../db/queries/connections/read-connections.ts";
import { selectLastFault } from "../../db/queries/connections/timeline.ts";
import { selectDangling } from "../../db/queries/left-behind/left-behind.ts";
import type { CertificateFault } from "../../domain/certificates/certificate.ts";
import { type ValidationAlias, validationAlias } from "../../domain/certificates/validation.ts";
import type { Connection, VisibleConnection } from "../../domain/connections/connection.ts";
import type { ListedConnection } from "../../domain/connections/listed-connection.ts";
import type { ClaimState } from "../../domain/connections/observation.ts";
import { stuckSince } from "../../domain/connections/stuck.ts";
import { AppError, notFound } from "../../domain/errors.ts";
import type { Registration } from "../../domain/registrations/registration.ts";
import type { Actor } from "../../domain/tenancy.ts";
import { requireOwnCustomer } from "../applications/customer.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, listPage, readPage } from "../paging.ts";
import { readRegistration, readRegistrationEnds } from "../registrations/read.ts";
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
  /** What the registry says of the domain; absent where it was not read. */
  readonly registration?: Registration | null;
  /** Its name resolves to us although it is archived; absent where it was not read. */
  readonly isDangling?: boolean;
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
  const registration = await readRegistration(ctx.runtime, found.connection.hostname);
  const connection = shownTo(ctx, found.connection);
  const isDangling = connection.state === "archived" && (await readDangling(ctx, [id])).has(id);
  const read = { partnerId, fault, registration, isDangling };
  return { ...found, connection, validation, ...read, ...named };
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
): Promise<Listing<ShownConnection>> {
  const listing = await listPlain(ctx, query);
  const archived = listing.items.filter(({ state }) => state === "archived").map(({ id }) => id);
  const dangling = archived.length === 0 ? null : await readDangling(ctx, archived);
  const ends = await readRegistrationEnds(ctx.runtime, listing.items);
  if (dangling === null && ends.size === 0) return listing;
  const show = (item: ListedConnection): ShownConnection => ({
    ...item,
    registrationEndsAt: ends.get(item.id) ?? null,
    isDangling: dangling?.has(item.id) === true,
  });
  return { ...listing, items: listing.items.map(show) };
}

/** A row of a list. */
export interface ShownConnection extends ListedConnection {
  /** Its name resolves to us although it is archived; absent where none is archived. */
  readonly isDangling?: boolean;
}

function readDangling(ctx: ServiceContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return ctx.read((tx) => selectDangling(tx, ids));
}

async function listPlain(
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
      pageFilteredConnections(tx, filter, page, longestUsual(ctx), ctx.now()),
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
      ? pageFilteredConnections(tx, filter, page, longestUsual(ctx), ctx.now())
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
  const { state, hostname, actor, stuck, wildcard, dangling, sort, ...others } = query;
  const { q, application_id, batch_id, error_code, provider, registration_ends_within } = others;
  const states = state === undefined ? [] : [...new Set([state].flat())].sort();
  const actors = actor === undefined ? [] : [...new Set([actor].flat())].sort();
  const filter: { [Key in keyof ListFilter]: ListFilter[Key] | undefined } = {
    states: states.length > 0 ? states : undefined,
    hostname: hostname === undefined ? undefined : normalized(hostname),
    q,
    application_id,
    batch_id,
    error_code,
    actors: actors.length > 0 ? actors : undefined,
    stuck: stuck === undefined ? undefined : true,
    provider,
    registration_ends_within,
    wildcard: wildcard === undefined ? undefined : wildcard === "true",
    dangling: dangling === undefined ? undefined : true,
    sort: sort === "created" ? undefined : sort,
  };
  const set = Object.entries(filter).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as ListFilter;
}

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
