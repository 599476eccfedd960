import { ListEvents, listEvents } from "../../services/events.ts";
import { EventBody, eventBodyOf } from "../replies/event.ts";
import { listing, listOf } from "../replies/listing.ts";
import { defineRoute } from "../route.ts";

export const listEventsRoute = defineRoute({
  method: "GET",
  path: "/v1/events",
  tag: "Webhooks",
  summary: "List events, newest first",
  description:
    "The bodies that webhook receivers get, whether or not there is one. Kept for 30 days.",
  scopes: ["connections:read", "webhooks:write"],
  query: ListEvents,
  output: listOf(EventBody),
  statuses: [200],
  run: (ctx, { query }) => listEvents(ctx, query),
  reply: (page) => listing(page, eventBodyOf),
});
