import type { Tx } from "../../db/engine/transaction.ts";
import { selectPartner } from "../../db/queries/connections/connection-settings.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { partnerName } from "../../domain/connections/pair.ts";
import { AppError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";
import { isReachedIn } from "./reach.ts";

/** Only a registered domain and its `www` are a pair; others need no query. */
export function mayHavePartner({ hostname, state }: Connection): boolean {
  return state !== "archived" && partnerName(hostname) !== null;
}

/** The other connection of a pair, when there is one that the caller may see. */
export async function findPartner(
  ctx: ServiceContext,
  tx: Tx,
  connection: Connection,
): Promise<Connection | null> {
  const name = partnerName(connection.hostname);
  if (name === null || !mayHavePartner(connection)) return null;
  const partner = await selectPartner(tx, connection, name);
  return partner !== null && (await isReachedIn(tx, ctx.actor, partner)) ? partner : null;
}

export async function requirePartner(
  ctx: ServiceContext,
  tx: Tx,
  connection: Connection,
): Promise<Connection> {
  const partner = await findPartner(ctx, tx, connection);
  if (partner === null) throw new AppError("conflict", "the connection is not one of a pair");
  return partner;
}
