import type { Tx } from "../../db/engine/transaction.ts";
import { dropCertificate } from "../../db/queries/certificates/certificates.ts";
import { deleteClaim } from "../../db/queries/connections/claims.ts";
import { lockConnection, updateConnection } from "../../db/queries/connections/connections.ts";
import { lockHostname } from "../../db/queries/connections/hostname-locks.ts";
import { insertTimeline } from "../../db/queries/connections/timeline.ts";
import { deleteTroubles } from "../../db/queries/connections/troubles.ts";
import { insertLeftBehind } from "../../db/queries/left-behind/left-behind.ts";
import { type AuditSource, insertAudit, sourceIn } from "../../db/queries/operator/audit.ts";
import { insertEvent } from "../../db/queries/webhooks/events.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { firstLookupAt } from "../../domain/connections/left-behind.ts";
import { notFound } from "../../domain/errors.ts";
import { auditSource, type ServiceContext } from "../context.ts";
import { revertArchived } from "../dns-write/revert-records.ts";
import { endSignIn } from "../oauth/retained.ts";
import type { Runtime } from "../runtime.ts";
import { endContests } from "./contest.ts";
import { requireConnection, shownTo } from "./read.ts";
import { endRedirects } from "./update.ts";

/**
 * Archives a connection for good and frees its hostname; a repeat changes nothing. The actor's
 * reach is checked in the tenant's scope first, since a claim is global and needs the system scope.
 * The DNS records are reverted after the commit: from then on no worker writes them.
 */
export async function deleteConnection(
  ctx: ServiceContext,
  id: string,
  options: { readonly revertDns: boolean },
): Promise<Connection> {
  const { runtime } = ctx;
  const { hostname } = await ctx.read((tx) => requireConnection(ctx, tx, id));
  const archived = await runtime.system(async (tx) => {
    await lockHostname(tx, hostname);
    const connection = await lockConnection(tx, id);
    if (!connection) throw notFound("connection");
    const why = { now: ctx.now(), ...auditSource(ctx), reason: "deleted" } as const;
    return archiveIn(runtime, tx, connection, why);
  });
  if (options.revertDns) await revertArchived(ctx, archived);
  await endSignIn(runtime, archived.id);
  return shownTo(ctx, archived);
}

/** Lost: another connection has proven the hostname, and this one has not in time. */
export type ArchiveReason = "deleted" | "taken_over" | "contest_lost";

/**
 * Archives the row and writes claim, event, timeline and audit row in the caller's transaction,
 * which holds the locks of hostname and row. An archived connection is returned as it is.
 */
export async function archiveIn(
  runtime: Runtime,
  tx: Tx,
  connection: Connection,
  why: AuditSource & { readonly now: Date; readonly reason: ArchiveReason },
): Promise<Connection> {
  if (connection.state === "archived") return connection;
  const { now } = why;
  const archived = await updateConnection(
    tx,
    { ...connection, lease: null },
    {
      ...connection,
      state: "archived",
      errorCode: null,
      pendingRecords: null,
      misses: 0,
      firstMissAt: null,
      contest: null,
      sequence: connection.sequence + 1,
      archivedAt: now,
      dueAt: null,
    },
    now,
  );
  if (!archived) throw new Error("a locked connection was changed by another transaction");
  const dueAt = firstLookupAt(now, Math.random());
  await insertLeftBehind(tx, archived, { archivedAt: now, dueAt });
  await deleteClaim(tx, connection);
  await dropCertificate(tx, connection);
  await deleteTroubles(tx, connection.id);
  await endContests(tx, connection, now);
  await endRedirects(tx, archived, why);
  const data = { reason: why.reason };
  await insertEvent(tx, archived, {
    type: "domain.archived",
    sequence: archived.sequence,
    at: now,
    data,
  });
  await insertTimeline(tx, archived, {
    kind: "state",
    fromState: connection.state,
    toState: "archived",
    errorCode: null,
    details: data,
    createdAt: now,
    by: why,
  });
  await insertAudit(tx, {
    tenantId: connection.tenantId,
    environment: connection.environment,
    at: now,
    ...sourceIn(why),
    action: "connection.archive",
    subject: `connection:${connection.id}`,
    details: data,
  });
  runtime.log.info({ connectionId: connection.id, reason: why.reason }, "connection archived");
  return archived;
}
