import { pageEvents, type StoredEvent } from "../../db/queries/events.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, listPage } from "../paging.ts";
import type { ListEvents } from "./schemas.ts";

export type { StoredEvent } from "../../db/queries/events.ts";

/** What happened, whether or not anybody was told of it. */
export function listEvents(ctx: ServiceContext, query: ListEvents): Promise<Listing<StoredEvent>> {
  const applicationId = query.application_id ?? null;
  const type = query.type ?? null;
  return listPage(ctx, ["events", applicationId, type], query, (page) =>
    ctx.read((tx) => pageEvents(tx, ctx.actor, { applicationId, type }, page)),
  );
}
