import { z } from "zod";
import { listTimeline } from "../../services/connections/timeline.ts";
import { pageQuery } from "../../services/paging.ts";
import { listing, listOf } from "../replies/listing.ts";
import { TimelineBody, timelineBody } from "../replies/timeline.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const listConnectionEventsRoute = defineRoute({
  method: "GET",
  path: "/v1/connections/{id}/events",
  tag: "Connections",
  summary: "The timeline of a connection, newest first",
  scopes: ["connections:read"],
  params: IdParams,
  query: z.strictObject(pageQuery),
  output: listOf(TimelineBody),
  statuses: [200],
  run: (ctx, { params, query }) => listTimeline(ctx, params.id, query),
  reply: (page) => listing(page, timelineBody),
});
