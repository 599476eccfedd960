import { pageTimeline, type TimelineEntry } from "../../db/queries/events.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, listPage, type PageQuery } from "../paging.ts";
import { requireConnection } from "./read.ts";

export type { TimelineEntry } from "../../db/queries/events.ts";

/** State changes, looks that changed something, writes and deliveries of one connection. */
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
