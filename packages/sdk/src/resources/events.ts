import type { Api, CallOptions, QueryOf } from "../api.ts";
import { type Listing, listing, type Page } from "../listing.ts";
import type { EventEnvelope, WebhookEvent } from "../schema.gen.ts";

export type ListEvents = QueryOf<"get_events">;

/** What happened, as webhook receivers are told it, whether or not there is one. */
export type Events = ReturnType<typeof events>;

export function events(api: Api) {
  return {
    /** Newest first. */
    list: (query: ListEvents = {}, options?: CallOptions): Listing<WebhookEvent> =>
      listing(query, async (page) =>
        asEvents(await api.call("get_events", { query: page }, options)),
      ),
  };
}

/** The list holds the very bodies that are delivered, each of which has the schema of its kind. */
function asEvents(page: Page<EventEnvelope>): Page<WebhookEvent> {
  return page as Page<WebhookEvent>;
}
