import type { Tx } from "../../db/engine/transaction.ts";
import { type ClaimHolder, selectClaimHolder } from "../../db/queries/claims.ts";
import {
  insertConnection,
  lockHostname,
  selectOpenConnection,
} from "../../db/queries/connections.ts";
import { announceDue } from "../../db/queries/due-connections.ts";
import { insertEvent, insertTimeline } from "../../db/queries/events.ts";
import { lookAgainMs } from "../../domain/backoff.ts";
import { type Connection, holdsClaim } from "../../domain/connection.ts";
import { AppError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";
import { audit } from "../context.ts";
import { takeQuota } from "../usage.ts";
import { lifecycleSettings } from "./settings.ts";

export interface Created {
  readonly connection: Connection;
  readonly resumed: boolean;
}

/**
 * Under the hostname's lock: the same application's unfinished or drifted connection is resumed,
 * any other active holder is a conflict, and someone merely pending never blocks.
 */
export async function insertOrResume(
  ctx: ServiceContext,
  tx: Tx,
  prepared: Connection,
  batchId: string | null,
): Promise<Created> {
  await lockHostname(tx, prepared.hostname);
  const open = await selectOpenConnection(tx, prepared.applicationId, prepared.hostname);
  if (open && (open.state === "drifted" || !holdsClaim(open.state))) {
    return { connection: open, resumed: true };
  }
  const holder = await selectClaimHolder(tx, prepared.hostname);
  if (holder && holder.state !== "drifted") throw conflict(prepared, holder);
  const connection = { ...prepared, batchId };
  await write(ctx, tx, connection);
  // Last: until the commit all others of the tenant wait for the counter. A refusal undoes the rest.
  await takeQuota(ctx.runtime, tx, ctx.actor, { kind: "connect", cause: connection.id });
  return { connection, resumed: false };
}

/** Names the holder only to its own application, so that a reopened widget can go on with it. */
function conflict(prepared: Connection, holder: ClaimHolder): AppError {
  const isOwn = holder.applicationId === prepared.applicationId;
  return new AppError("HostnameConflict", `${prepared.hostname} is already connected`, {
    details: isOwn ? { connection_id: holder.connectionId } : null,
  });
}

async function write(ctx: ServiceContext, tx: Tx, connection: Connection): Promise<void> {
  const { createdAt } = connection;
  // With a credential nobody has to publish anything first, so the first look is at once.
  const isAutomatic = connection.setupType === "automatic" && connection.mayUseCredentials;
  const settings = lifecycleSettings(ctx.runtime, connection);
  const waitMs = isAutomatic ? 0 : (lookAgainMs(connection.state, 0, settings) ?? 0);
  await insertConnection(tx, connection, new Date(createdAt.getTime() + waitMs));
  await insertEvent(tx, connection, {
    type: "domain.added",
    sequence: connection.sequence,
    at: createdAt,
    data: {},
  });
  await insertTimeline(tx, connection, {
    kind: "state",
    fromState: "created",
    toState: connection.state,
    errorCode: null,
    details: {},
    createdAt,
  });
  await audit(ctx, tx, "connection.create", connection.id, { hostname: connection.hostname });
  await announceDue(tx, "connections");
}
