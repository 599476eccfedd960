import { z } from "zod";
import type { SandboxZone, SandboxZoneSummary } from "../../domain/sandbox/sandbox.ts";
import { pageQuery } from "../../services/paging.ts";
import {
  deleteSandboxZone,
  getSandboxZone,
  listSandboxZones,
  PutSandboxZone,
  putSandboxZone,
} from "../../services/sandbox/zones.ts";
import { defineRoute, listing, listSchema, RecordBody, Time, time } from "../http/route.ts";

const ZoneParams = z.strictObject({
  zone: z.string().min(1).max(253).describe("A name directly under `.test`"),
});

const SandboxZoneBody = z
  .object({
    zone: z.string(),
    nameservers: z.array(z.string()),
    records: z.array(RecordBody).describe("With absolute hosts"),
  })
  .meta({ id: "SandboxZone", description: "A zone of the sandbox and everything in it" });

function sandboxZoneBody(
  zone: Pick<SandboxZone, "zone" | "nameservers" | "records">,
): z.input<typeof SandboxZoneBody> {
  return {
    zone: zone.zone,
    nameservers: [...zone.nameservers],
    records: zone.records.map(({ host, type, value, ttl, priority }) => ({
      host,
      type,
      value,
      ttl,
      priority,
    })),
  };
}

const SandboxZoneSummaryBody = z
  .object({
    zone: z.string(),
    nameservers: z.array(z.string()),
    record_count: z.int(),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: "SandboxZoneSummary" });

function sandboxZoneSummaryBody(zone: SandboxZoneSummary): z.input<typeof SandboxZoneSummaryBody> {
  return {
    zone: zone.zone,
    nameservers: [...zone.nameservers],
    record_count: zone.recordCount,
    created_at: time(zone.createdAt),
    updated_at: time(zone.updatedAt),
  };
}

export const listSandboxZonesRoute = defineRoute({
  method: "GET",
  path: "/v1/sandbox/zones",
  tag: "Sandbox",
  summary: "List the tenant's sandbox zones, newest first",
  scopes: ["connections:read"],
  role: "viewer",
  query: z.strictObject(pageQuery),
  output: listSchema(SandboxZoneSummaryBody),
  statuses: [200],
  errors: ["not_found"],
  run: (ctx, { query }) => listSandboxZones(ctx, query),
  reply: (page) => listing(page, sandboxZoneSummaryBody),
});

export const getSandboxZoneRoute = defineRoute({
  method: "GET",
  path: "/v1/sandbox/zones/{zone}/records",
  tag: "Sandbox",
  summary: "Get what a sandbox zone holds",
  description: "A zone that has not been written yet is empty.",
  scopes: ["connections:read"],
  role: "viewer",
  params: ZoneParams,
  output: SandboxZoneBody,
  statuses: [200],
  run: (ctx, { params }) => getSandboxZone(ctx, params.zone),
  reply: sandboxZoneBody,
});

export const putSandboxZoneRoute = defineRoute({
  method: "PUT",
  path: "/v1/sandbox/zones/{zone}/records",
  tag: "Sandbox",
  summary: "Replace what a sandbox zone holds",
  description:
    "The first tenant to write a zone owns it. Connections under it are checked again at once.",
  scopes: ["connections:write"],
  role: "developer",
  params: ZoneParams,
  body: PutSandboxZone,
  output: SandboxZoneBody,
  statuses: [200],
  errors: ["conflict", "payload_too_large"],
  run: (ctx, { params, body }) => putSandboxZone(ctx, params.zone, body),
  reply: sandboxZoneBody,
});

export const deleteSandboxZoneRoute = defineRoute({
  method: "DELETE",
  path: "/v1/sandbox/zones/{zone}/records",
  tag: "Sandbox",
  summary: "Empty a sandbox zone and give it up",
  scopes: ["connections:write"],
  role: "developer",
  params: ZoneParams,
  output: null,
  statuses: [204],
  run: (ctx, { params }) => deleteSandboxZone(ctx, params.zone),
  reply: () => null,
});
