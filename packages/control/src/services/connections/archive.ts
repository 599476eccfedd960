import type { Tx } from "../../db/engine/transaction.ts";
import { insertAudit } from "../../db/queries/audit.ts";
import { dropCertificate } from "../../db/queries/certificates.ts";
import { deleteClaim } from "../../db/queries/claims.ts";
import { updateConnection } from "../../db/queries/connections.ts";
import { insertEvent, insertTimeline } from "../../db/queries/events.ts";
import type { Connection } from "../../domain/connection.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Ends a connection for good and frees its hostname: row, claim, event, timeline and audit row in
 * the caller's transaction, which holds the locks of hostname and row. Already archived is left as it is.
 */
export async function archiveIn(
  runtime: Runtime,
  tx: Tx,
  connection: Connection,
  why: { readonly now: Date; readonly actor: string; readonly reason: "deleted" | "taken_over" },
): Promise<Connection> {
  if (connection.state === "archived") return connection;
  const { now } = why;
  const archived = await updateConnection(
    tx,
    connection.id,
    connection.version,
    {
      ...connection,
      state: "archived",
      errorCode: null,
      misses: 0,
      firstMissAt: null,
      sequence: connection.sequence + 1,
      archivedAt: now,
      dueAt: null,
    },
    now,
  );
  if (!archived) throw new Error("a locked connection was changed by another transaction");
  await deleteClaim(tx, connection);
  await dropCertificate(tx, connection);
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
  });
  await insertAudit(tx, {
    tenantId: connection.tenantId,
    environment: connection.environment,
    at: now,
    actor: why.actor,
    action: "connection.archive",
    subject: `connection:${connection.id}`,
    details: data,
  });
  runtime.log.info({ connectionId: connection.id, reason: why.reason }, "connection archived");
  return archived;
}
