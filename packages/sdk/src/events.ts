import type { Api, CallOptions, QueryOf } from "./api.ts";
import { eventStream, type StreamOptions } from "./event-stream.ts";
import { type Listing, listing, type Page } from "./listing.ts";
import type { EventEnvelope, ListedDelivery, WebhookEvent } from "./schema.gen.ts";

export type ListEvents = QueryOf<"get_events">;
export type StreamEvents = Omit<QueryOf<"get_events_stream">, "after">;

/** The events of the account, with or without webhook endpoints. */
export type Events = ReturnType<typeof events>;

export function events(api: Api) {
  return {
    /** Newest first. */
    list: (query: ListEvents = {}, options?: CallOptions): Listing<WebhookEvent> =>
      listing(query, async (page) =>
        asEvents(await api.call("get_events", { query: page }, options)),
      ),

    /** As they happen, from now on or after an event; opened again by itself when it breaks. */
    stream: (query: StreamEvents = {}, options?: StreamOptions): AsyncIterable<WebhookEvent> => {
      const open = (lastId: string | null, signal: AbortSignal | null) =>
        api.openStream("get_events_stream", { query }, lastId, signal);
      return eventStream(open, api.wire, options) as AsyncIterable<WebhookEvent>;
    },
  };
}

/** The list returns the delivered bodies; each matches the schema of its event type. */
function asEvents(page: Page<EventEnvelope>): Page<WebhookEvent> {
  return page as Page<WebhookEvent>;
}

export type ListAllDeliveries = QueryOf<"get_deliveries">;

/** Deliveries to all webhook endpoints. */
export type Deliveries = ReturnType<typeof deliveries>;

export function deliveries(api: Api) {
  return {
    /** Newest first. */
    list: (query: ListAllDeliveries = {}, options?: CallOptions): Listing<ListedDelivery> =>
      listing(query, (page) => api.call("get_deliveries", { query: page }, options)),

    /** With what was sent. */
    get: (id: string, options?: CallOptions) =>
      api.call("get_deliveries_id", { params: { id } }, options),
  };
}
