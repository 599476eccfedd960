import { z } from "zod";
import { listApplications } from "../../services/applications.ts";
import { pageQuery } from "../../services/paging.ts";
import { ApplicationBody, applicationBody } from "../replies/application.ts";
import { listing, listOf } from "../replies/listing.ts";
import { defineRoute } from "../route.ts";

export const listApplicationsRoute = defineRoute({
  method: "GET",
  path: "/v1/applications",
  tag: "Applications",
  summary: "List applications, newest first",
  scopes: ["apps:admin"],
  query: z.strictObject(pageQuery),
  output: listOf(ApplicationBody),
  statuses: [200],
  run: (ctx, { query }) => listApplications(ctx, query),
  reply: (page) => listing(page, applicationBody),
});
