import type { Tx } from "../../db/engine/transaction.ts";
import { insertTimeline, pageTimeline, type TimelineEntry } from "../../db/queries/events.ts";
import type { Connection } from "../../domain/connection.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, listPage, type PageQuery } from "../paging.ts";
import { requireConnection } from "./read.ts";

export type { TimelineEntry } from "../../db/queries/events.ts";

/** State changes, checks that changed something, writes and deliveries of one connection. */
export function listTimeline(
  ctx: ServiceContext,
  id: string,
  query: PageQuery,
): Promise<Listing<TimelineEntry>> {
  return listPage(ctx, ["timeline", id], query, (page) =>
    ctx.read(async (tx) => {
      await requireConnection(ctx, tx, id);
      return pageTimeline(tx, id, page);
    }),
  );
}

/** How a write at a DNS provider ended, or a customer's visit to have it made; null is left out. */
export interface WriteDetails {
  readonly via?: "domain_connect";
  readonly provider: string;
  readonly zone: string;
  readonly outcome: string;
  /** How many changes the plan had. */
  readonly changes?: number;
  readonly error: string | null;
  readonly description?: string | null;
}

/** Adds a `write` entry, in the transaction that stores what the entry reports. */
export async function insertWriteEntry(
  tx: Tx,
  connection: Connection,
  details: WriteDetails,
  createdAt: Date,
): Promise<void> {
  const known = Object.entries(details).filter(([, value]) => value !== null);
  await insertTimeline(tx, connection, {
    kind: "write",
    fromState: null,
    toState: null,
    errorCode: null,
    details: Object.fromEntries(known),
    createdAt,
  });
}
