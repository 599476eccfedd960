import type { Tx } from "../../db/engine/transaction.ts";
import { hasPairLink } from "../../db/queries/connections/connection-settings.ts";
import {
  hasTokenConnection,
  insertTokenConnection,
  sweepTokenConnections,
} from "../../db/queries/connections/token-connections.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { computeReach, isAnonymous, type Reach } from "../../domain/connections/reach.ts";
import type { Actor } from "../../domain/tenancy.ts";
import { leewaySeconds, lifetimeSeconds } from "../applications/tokens.ts";
import type { ServiceContext } from "../context.ts";
import type { Runtime } from "../runtime.ts";

/** Whether the caller may see the connection. Most answers need no query, and so no transaction. */
export function isReached(ctx: ServiceContext, connection: Connection): Promise<boolean> {
  return settled(ctx.actor, connection, (reach) =>
    ctx.read((tx) => isReachedByRow(tx, ctx.actor, connection, reach)),
  );
}

/** The same within a transaction. */
export function isReachedIn(tx: Tx, actor: Actor, connection: Connection): Promise<boolean> {
  return settled(actor, connection, (reach) => isReachedByRow(tx, actor, connection, reach));
}

async function settled(
  actor: Actor,
  connection: Connection,
  byRow: (reach: Reach) => Promise<boolean>,
): Promise<boolean> {
  const reach = computeReach(actor, connection);
  return reach === "reached" || (reach !== "hidden" && (await byRow(reach)));
}

async function isReachedByRow(
  tx: Tx,
  actor: Actor,
  connection: Connection,
  reach: Reach,
): Promise<boolean> {
  if (actor.kind !== "widget") return false;
  if (reach === "token") return hasTokenConnection(tx, actor.tokenId, connection.id);
  return actor.domain !== null && hasPairLink(tx, connection, actor.domain);
}

/** Notes what an anonymous token has made or resumed, for as long as the token can be used. */
export async function noteToken(
  ctx: ServiceContext,
  tx: Tx,
  connection: Connection,
): Promise<void> {
  if (!isAnonymous(ctx.actor)) return;
  const lifeMs = (lifetimeSeconds + leewaySeconds) * 1_000;
  const expiresAt = new Date(ctx.now().getTime() + lifeMs);
  await insertTokenConnection(tx, ctx.actor.tokenId, connection, expiresAt);
}

const sweepBatch = 1_000;

/** Deletes what was noted of tokens that have expired, in batches. */
export async function sweepTokens(runtime: Runtime): Promise<void> {
  const sweep = () =>
    runtime.transaction((tx) => sweepTokenConnections(tx, runtime.clock.now(), sweepBatch));
  while ((await sweep()) === sweepBatch);
}
