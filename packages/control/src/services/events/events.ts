import { z } from "zod";
import { pageEvents, type StoredEvent } from "../../db/queries/webhooks/events.ts";
import { subscribableTypes, testEventType } from "../../domain/webhooks/event.ts";
import { CustomerRef } from "../applications/customer.ts";
import type { ServiceContext } from "../context.ts";
import { type Listing, pageQuery, readPage } from "../paging.ts";

const kinds = [...subscribableTypes, testEventType] as const;

export const ListEvents = z.strictObject({
  application_id: z.uuid().optional(),
  type: z.enum(kinds).optional().describe("Only events of this kind"),
  customer_ref: CustomerRef.optional().describe("Only events of this customer's connections"),
  ...pageQuery,
});
export type ListEvents = z.infer<typeof ListEvents>;

export type { StoredEvent } from "../../db/queries/webhooks/events.ts";

/** Lists events, whether or not an endpoint subscribes to them. */
export function listEvents(ctx: ServiceContext, query: ListEvents): Promise<Listing<StoredEvent>> {
  const applicationId = query.application_id ?? null;
  const type = query.type ?? null;
  const customerRef = query.customer_ref ?? null;
  return readPage(ctx, ["events", applicationId, type, customerRef], query, (tx, page) =>
    pageEvents(tx, ctx.actor, { applicationId, type, customerRef }, page),
  );
}
