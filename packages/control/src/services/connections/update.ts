import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  type ConnectionSettings,
  isRedirectTarget,
  lockRedirecting,
  storeSettings,
  usesOfHostname,
} from "../../db/queries/connections/connection-settings.ts";
import { lockConnection } from "../../db/queries/connections/connections.ts";
import { lockHostname } from "../../db/queries/connections/hostname-locks.ts";
import { type AuditSource, insertAudit, sourceIn } from "../../db/queries/operator/audit.ts";
import { insertEvent } from "../../db/queries/webhooks/events.ts";
import type { StoredEdgeSettings } from "../../domain/applications/application.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { type AppError, invalid, notFound } from "../../domain/errors.ts";
import { maintenanceIssues, storableRules } from "../applications/edge-rules.ts";
import { changeEdgeSettings } from "../applications/edge-settings.ts";
import { requireUsableOrigins } from "../applications/origins.ts";
import { auditSource, type ServiceContext } from "../context.ts";
import { requireHostname } from "../domains/hostname.ts";
import { passLabels } from "./labels.ts";
import { refuseArchived, requireConnection } from "./read.ts";
import type { UpdateConnection } from "./schemas.ts";

/** The fields of the API, and where the connection has them. */
const fields = {
  redirect_to: "redirectTo",
  origin_url: "originUrl",
  origin_host_header: "originHostHeader",
  customer_ref: "customerRef",
  edge: "edge",
} as const satisfies Record<string, keyof ConnectionSettings>;
type Field = keyof typeof fields;
const fieldNames: readonly Field[] = [
  "redirect_to",
  "origin_url",
  "origin_host_header",
  "customer_ref",
  "edge",
];

/**
 * Changes how the edge serves the hostname, and for whom. What is not given stays; the same again
 * changes nothing.
 */
export async function updateConnection(
  ctx: ServiceContext,
  id: string,
  input: UpdateConnection,
): Promise<Connection> {
  const { hostname } = await ctx.read((tx) => requireConnection(ctx, tx, id));
  const target = targetIn(ctx, input);
  const issues = maintenanceIssues(input.edge ?? {}, ctx.now());
  if (issues.length > 0) throw invalid(issues);
  await requireUsableOrigins(ctx, { origin_url: input.origin_url });
  const edge = input.edge && (await storableRules(input.edge));
  return ctx.write(async (tx) => {
    await lockNames(tx, [hostname, target ?? hostname]);
    return updateIn(ctx, tx, id, { ...input, redirect_to: target, edge });
  });
}

/** Other changes of the names wait, their archiving too; all take the locks in this order. */
export async function lockNames(tx: Tx, hostnames: readonly string[]): Promise<void> {
  for (const name of [...new Set(hostnames)].toSorted()) await lockHostname(tx, name);
}

/** With a password as its hash. */
type StorableUpdate = Omit<UpdateConnection, "edge"> & {
  readonly edge?: StoredEdgeSettings | undefined;
};

/**
 * The same in the caller's transaction, which has locked both names; `redirect_to` is canonical,
 * and the origin was checked.
 */
export async function updateIn(
  ctx: ServiceContext,
  tx: Tx,
  id: string,
  input: StorableUpdate,
  others: readonly string[] = [],
): Promise<Connection> {
  const connection = await lockConnection(tx, id);
  if (!connection) throw notFound("connection");
  refuseArchived(connection);
  const requested: ConnectionSettings = {
    redirectTo: orPresent(input.redirect_to, connection.redirectTo),
    originUrl: orPresent(input.origin_url, connection.originUrl),
    originHostHeader: orPresent(input.origin_host_header, connection.originHostHeader),
    customerRef: orPresent(input.customer_ref, connection.customerRef),
    edge: changedRules(connection.edge, input.edge),
  };
  await requireSameCustomer(tx, connection, requested);
  const isNewTarget = requested.redirectTo !== connection.redirectTo;
  if (requested.redirectTo !== null && isNewTarget) {
    await requireTarget(
      tx,
      { ...connection, customerRef: requested.customerRef },
      requested.redirectTo,
    );
  }
  return writeSettings(tx, connection, requested, { now: ctx.now(), ...auditSource(ctx), others });
}

function orPresent<T>(value: T | undefined, present: T): T {
  return value === undefined ? present : value;
}

/** Null without any; the stored object itself where nothing changes. */
function changedRules(
  stored: StoredEdgeSettings | null,
  changes: StoredEdgeSettings | undefined,
): StoredEdgeSettings | null {
  const merged = changeEdgeSettings(stored ?? {}, changes ?? {});
  if (isDeepStrictEqual(merged, stored ?? {})) return stored;
  return Object.keys(merged).length === 0 ? null : merged;
}

/** Both names of a redirect belong to one customer, so neither changes hands alone. */
async function requireSameCustomer(
  tx: Tx,
  connection: Connection,
  requested: ConnectionSettings,
): Promise<void> {
  if (requested.customerRef === connection.customerRef) return;
  const staysRedirect =
    requested.redirectTo !== null && requested.redirectTo === connection.redirectTo;
  if (staysRedirect || (await isRedirectTarget(tx, connection))) {
    const message =
      "cannot change while this hostname redirects to another, or another to this one";
    throw invalid([{ path: "customer_ref", message }]);
  }
}

/** The canonical form of `redirect_to`; undefined when it stays. */
function targetIn({ runtime, actor }: ServiceContext, input: UpdateConnection) {
  const { redirect_to: spelling } = input;
  if (spelling === undefined || spelling === null) return spelling;
  return requireHostname(runtime.config, actor.environment, spelling, "redirect_to");
}

/** Redirects have one step: a target does not redirect, and who redirects is no target. */
export async function requireTarget(tx: Tx, connection: Connection, target: string): Promise<void> {
  if (target === connection.hostname) throw refuse("is the connection's own hostname");
  const uses = await usesOfHostname(tx, { ...connection, hostname: target });
  if (uses.length === 0) {
    throw refuse("is not the hostname of another connection of the application and customer");
  }
  if (uses.some(({ redirectTo }) => redirectTo !== null)) throw refuse("redirects itself");
  if (await isRedirectTarget(tx, connection)) {
    throw refuse("cannot be set: other connections redirect to this one");
  }
}

function refuse(message: string): AppError {
  return invalid([{ path: "redirect_to", message }]);
}

export interface Change extends AuditSource {
  readonly now: Date;
  /** What the same call changes beside the settings, for its one audit row. */
  readonly others?: readonly string[];
}

/** The row with its event and audit row; nothing of it when nothing changes. */
export async function writeSettings(
  tx: Tx,
  connection: Connection,
  requested: ConnectionSettings,
  change: Change,
): Promise<Connection> {
  const { now, others = [] } = change;
  const changed = fieldNames.filter((name) => requested[fields[name]] !== connection[fields[name]]);
  if (changed.length === 0 && others.length === 0) return connection;
  if (changed.includes("customer_ref")) {
    await passLabels(tx, connection, requested.customerRef, now);
  }
  const written =
    changed.length === 0 ? connection : await storeSettings(tx, connection.id, requested, now);
  if (changed.length > 0) {
    await insertEvent(tx, written, {
      type: "domain.changed",
      sequence: written.sequence,
      at: now,
      data: { changed },
    });
  }
  await insertAudit(tx, {
    tenantId: connection.tenantId,
    environment: connection.environment,
    at: now,
    ...sourceIn(change),
    action: "connection.update",
    subject: `connection:${connection.id}`,
    details: { changed: [...changed, ...others] },
  });
  return written;
}

/**
 * Ends the redirects to a connection that is archived now, in the same transaction, unless the
 * customer has the hostname with another connection too.
 */
export async function endRedirects(tx: Tx, archived: Connection, change: Change): Promise<void> {
  if ((await usesOfHostname(tx, archived)).length > 0) return;
  for (const connection of await lockRedirecting(tx, archived)) {
    await writeSettings(tx, connection, { ...connection, redirectTo: null }, change);
  }
}
