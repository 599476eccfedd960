import type { Tx } from "../../db/engine/transaction.ts";
import { hasRecordsAdded, insertTimeline } from "../../db/queries/connections/timeline.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { mayBeEarly } from "../../domain/records/early.ts";
import { auditSource, type ServiceContext } from "../context.ts";

/**
 * Whether the records are not expected yet. What decides is stored: when the connection was made,
 * and the entry of its timeline that somebody has said they were added.
 */
export async function isEarly(tx: Tx, connection: Connection, now: Date): Promise<boolean> {
  return mayBeEarly(connection, now) && !(await hasRecordsAdded(tx, connection));
}

/** Somebody says that the records were added; the first time counts. */
export async function noteRecordsAdded(ctx: ServiceContext, connection: Connection): Promise<void> {
  await ctx.write(async (tx) => {
    if (await hasRecordsAdded(tx, connection)) return;
    await insertTimeline(tx, connection, {
      kind: "check",
      fromState: null,
      toState: null,
      errorCode: null,
      details: { records_added: true },
      createdAt: ctx.now(),
      by: auditSource(ctx),
    });
  });
}
