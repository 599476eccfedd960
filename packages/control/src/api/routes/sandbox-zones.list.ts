import { z } from "zod";
import { pageQuery } from "../../services/paging.ts";
import { listSandboxZones } from "../../services/sandbox/zones.ts";
import { listing, listOf } from "../replies/listing.ts";
import { SandboxZoneSummaryBody, sandboxZoneSummaryBody } from "../replies/sandbox-zone.ts";
import { defineRoute } from "../route.ts";

export const listSandboxZonesRoute = defineRoute({
  method: "GET",
  path: "/v1/sandbox/zones",
  tag: "Sandbox",
  summary: "List the tenant's sandbox zones, newest first",
  scopes: ["connections:read"],
  query: z.strictObject(pageQuery),
  output: listOf(SandboxZoneSummaryBody),
  statuses: [200],
  errors: ["not_found"],
  run: (ctx, { query }) => listSandboxZones(ctx, query),
  reply: (page) => listing(page, sandboxZoneSummaryBody),
});
