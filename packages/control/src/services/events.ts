import { z } from "zod";
import { pageEvents, type StoredEvent } from "../db/queries/events.ts";
import { subscribableTypes, testEventType } from "../domain/event.ts";
import type { ServiceContext } from "./context.ts";
import { type Listing, listPage, pageQuery } from "./paging.ts";

const kinds = [...subscribableTypes, testEventType] as const;

export const ListEvents = z.strictObject({
  application_id: z.uuid().optional(),
  type: z.enum(kinds).optional().describe("Only events of this kind"),
  ...pageQuery,
});
export type ListEvents = z.infer<typeof ListEvents>;

export type { StoredEvent } from "../db/queries/events.ts";

/** What happened, whether or not anybody was told of it. */
export function listEvents(ctx: ServiceContext, query: ListEvents): Promise<Listing<StoredEvent>> {
  const applicationId = query.application_id ?? null;
  const type = query.type ?? null;
  return listPage(ctx, ["events", applicationId, type], query, (page) =>
    ctx.read((tx) => pageEvents(tx, ctx.actor, { applicationId, type }, page)),
  );
}
