import type { Tx } from "../../db/engine/transaction.ts";
import { isRedirectTarget, storeBatch } from "../../db/queries/connections/connection-settings.ts";
import { lockConnection } from "../../db/queries/connections/connections.ts";
import { lockHostname } from "../../db/queries/connections/hostname-locks.ts";
import type { Application } from "../../domain/applications/application.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { type Cutover, newCutover } from "../../domain/connections/cutover.ts";
import { findPair, type Pair } from "../../domain/connections/pair.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { actorLabel } from "../../domain/tenancy.ts";
import { requireApplication } from "../applications/applications.ts";
import { requireOwnCustomer } from "../applications/customer.ts";
import { audit, quietly, type ServiceContext } from "../context.ts";
import { requireHostname } from "../domains/hostname.ts";
import { insertOrResume, prepareConnection, startCutover } from "./create.ts";
import { type NamedRecords, namedBy } from "./needed.ts";
import { shownTo } from "./read.ts";
import type { CreatePair } from "./schemas.ts";
import { writeSettings } from "./update.ts";

/** A connection with what its customer has to publish. */
export interface NewConnection extends NamedRecords {
  readonly connection: Connection;
}

export interface CreatedPair {
  readonly batchId: string;
  readonly apex: NewConnection;
  readonly www: NewConnection;
  /** Both were there. */
  readonly resumed: boolean;
}

/**
 * Connects a domain and its `www` together: visitors of one are sent to the other. Both are made or
 * resumed in one transaction, or neither is. A repeat with another main one reverses the redirect.
 */
export async function createPair(ctx: ServiceContext, input: CreatePair): Promise<CreatedPair> {
  const application = await ctx.read((tx) => requireApplication(tx, input.application_id));
  const { pair, typed } = requirePair(ctx, input.hostname);
  const customerRef = requireOwnCustomer(ctx.actor, input.customer_ref);
  const main = input.canonical === undefined ? typed : pair[input.canonical];
  const other = main === pair.apex ? pair.www : pair.apex;
  const names = { main, other };
  const moves = input.cutover === true ? await startMoves(ctx, names) : stay;
  const prepared = await prepareBoth(ctx, application, names, { customerRef, moves });
  return ctx.write(async (tx) => {
    for (const name of [main, other].toSorted()) await lockHostname(tx, name);
    const batchId = newId(ctx.now());
    const first = await makeOne(ctx, tx, prepared.main, batchId);
    const second = await makeOne(ctx, tx, { ...prepared.other, redirectTo: main }, batchId);
    const made = { main: first.connection, other: second.connection };
    if (!first.resumed || !second.resumed) {
      const hostnames = [first, second].flatMap(({ resumed, connection }) =>
        resumed ? [] : [connection.hostname],
      );
      await audit(ctx, tx, "batch.create", batchId, { created: hostnames.length, hostnames });
    }
    const settled = await settle(ctx, tx, made, first.resumed || second.resumed);
    const [apex, www] =
      main === pair.apex ? [settled.main, settled.other] : [settled.other, settled.main];
    const shown = (connection: Connection): NewConnection => {
      const named = namedBy(ctx.runtime, application, connection);
      return { connection: shownTo(ctx, connection), ...named };
    };
    return {
      batchId: settled.main.batchId ?? batchId,
      apex: shown(apex),
      www: shown(www),
      resumed: first.resumed && second.resumed,
    };
  });
}

function requirePair(
  { actor, runtime }: ServiceContext,
  spelling: string,
): { readonly pair: Pair; readonly typed: string } {
  const typed = requireHostname(runtime.config, actor.environment, spelling, "hostname");
  const pair = findPair(typed);
  if (pair === null) {
    const message = "expected a registered domain like acme.com, or its www name";
    throw invalid([{ path: "hostname", message }]);
  }
  const isBound = actor.kind === "widget" && actor.domain !== null;
  if (isBound && actor.domain !== pair.apex && actor.domain !== pair.www) {
    throw new AppError("forbidden", "this token is bound to another domain");
  }
  return { pair, typed };
}

interface Sides<T> {
  readonly main: T;
  readonly other: T;
}

async function prepareBoth(
  ctx: ServiceContext,
  application: Application,
  names: Sides<string>,
  { customerRef, moves }: { customerRef: string | null; moves: Sides<Cutover | null> },
): Promise<Sides<Connection>> {
  // The token's domain is one of the two, which was checked.
  const about = { customerRef, requireName: () => undefined };
  const [main, other] = await Promise.all([
    prepareConnection(ctx, application, names.main, { ...about, cutover: moves.main }),
    prepareConnection(ctx, application, names.other, { ...about, cutover: moves.other }),
  ]);
  return { main, other };
}

const stay: Sides<null> = { main: null, other: null };

/** Where either serves visitors elsewhere both are prepared: they are switched together. */
async function startMoves(
  ctx: ServiceContext,
  names: Sides<string>,
): Promise<Sides<Cutover | null>> {
  const [main, other] = await Promise.all([
    startCutover(ctx, names.main),
    startCutover(ctx, names.other),
  ]);
  if (main === null && other === null) return stay;
  return { main: main ?? newCutover(null), other: other ?? newCutover(null) };
}

/** A conflict of either names neither. */
async function makeOne(ctx: ServiceContext, tx: Tx, prepared: Connection, batchId: string) {
  try {
    return await insertOrResume(quietly(ctx), tx, prepared, batchId, { resumesHeld: true });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "HostnameConflict") throw error;
    throw new AppError("HostnameConflict", "this domain, or its www name, is already connected");
  }
}

/** Gives both one batch and one direction; what is right already is not written. */
async function settle(
  ctx: ServiceContext,
  tx: Tx,
  made: Sides<Connection>,
  hasResumed: boolean,
): Promise<Sides<Connection>> {
  if (!hasResumed) return made;
  const main = await lockConnection(tx, made.main.id);
  const other = await lockConnection(tx, made.other.id);
  if (main === null || other === null) throw new Error("a connection of a locked pair is gone");
  await requireDirection(tx, main, other);
  const change = { now: ctx.now(), actor: actorLabel(ctx.actor) };
  const batchId = main.batchId ?? other.batchId ?? newId(ctx.now());
  // First the one that ends: a target does not redirect itself.
  const settled = await writeSettings(tx, main, { ...main, redirectTo: null }, change);
  const redirecting = { ...other, redirectTo: main.hostname };
  return {
    main: await withBatch(tx, settled, batchId),
    other: await withBatch(tx, await writeSettings(tx, other, redirecting, change), batchId),
  };
}

async function withBatch(tx: Tx, connection: Connection, batchId: string): Promise<Connection> {
  if (connection.batchId !== batchId) await storeBatch(tx, connection.id, batchId);
  return { ...connection, batchId };
}

/**
 * Redirects have one step, so a name that third ones redirect to, or that redirects to one, stays
 * as it is.
 */
async function requireDirection(tx: Tx, main: Connection, other: Connection): Promise<void> {
  const redirectsElsewhere = main.redirectTo !== null && main.redirectTo !== other.hostname;
  const isTarget = await isRedirectTarget(tx, other, main.hostname);
  if (!redirectsElsewhere && !isTarget) return;
  const message = redirectsElsewhere
    ? `${main.hostname} redirects to another domain`
    : `other domains redirect to ${other.hostname}`;
  throw invalid([{ path: "canonical", message }]);
}
