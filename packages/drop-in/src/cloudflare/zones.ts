import {
  AppError,
  type Application,
  defineRoute,
  type FallbackOrigin,
  getFallbackOrigin,
  getNamedApplication,
  listNamedApplications,
  type Route,
  removeFallbackOrigin,
  type ServiceContext,
  setFallbackOrigin,
} from "@mooring/control/drop-in";
import { z } from "zod";
import { envelopeSchema, listEnvelopeSchema, pageQuery, succeed, succeedPage } from "./envelope.ts";
import { missing } from "./errors.ts";
import { parseOriginUrl, showOrigin } from "./origin.ts";

export const ZoneParams = z.strictObject({ zone: z.string() });

/** The application that a zone stands for. */
export async function findZone(ctx: ServiceContext, zone: string): Promise<Application> {
  try {
    return await getNamedApplication(ctx, zone);
  } catch (error) {
    throw error instanceof AppError && error.code === "not_found" ? missing("zone", zone) : error;
  }
}

const ZoneBody = z.object({
  id: z.string(),
  name: z.string(),
  status: z.literal("active"),
  paused: z.boolean(),
  type: z.literal("full"),
  development_mode: z.int(),
  name_servers: z.array(z.string()),
  original_name_servers: z.array(z.string()).nullable(),
  original_registrar: z.string().nullable(),
  original_dnshost: z.string().nullable(),
  created_on: z.string(),
  modified_on: z.string(),
  activated_on: z.string(),
  account: z.object({ id: z.string(), name: z.string() }),
  owner: z.object({ id: z.string(), name: z.string(), type: z.literal("organization") }),
  permissions: z.array(z.string()),
  meta: z.object({
    step: z.int(),
    custom_certificate_quota: z.int(),
    page_rule_quota: z.int(),
    phishing_detected: z.boolean(),
    cdn_only: z.boolean(),
    dns_only: z.boolean(),
    foundation_dns: z.boolean(),
  }),
  plan: z.object({
    id: z.string(),
    name: z.string(),
    price: z.int(),
    currency: z.string(),
    frequency: z.string(),
    is_subscribed: z.boolean(),
    can_subscribe: z.boolean(),
    legacy_id: z.string(),
    legacy_discount: z.boolean(),
    externally_managed: z.boolean(),
  }),
});

/** Nothing of it is sold or limited by zones here. */
const zoneFacts = {
  meta: {
    step: 0,
    custom_certificate_quota: 0,
    page_rule_quota: 0,
    phishing_detected: false,
    cdn_only: false,
    dns_only: false,
    foundation_dns: false,
  },
  plan: {
    id: "mooring",
    name: "Mooring",
    price: 0,
    currency: "USD",
    frequency: "",
    is_subscribed: true,
    can_subscribe: false,
    legacy_id: "",
    legacy_discount: false,
    externally_managed: true,
  },
};

function zoneBody({ id, name, tenantId, createdAt }: Application): z.input<typeof ZoneBody> {
  const at = createdAt.toISOString();
  const tenant = { id: bare(tenantId), name: "" };
  return {
    id: bare(id),
    name,
    status: "active",
    paused: false,
    type: "full",
    development_mode: 0,
    name_servers: [],
    original_name_servers: null,
    original_registrar: null,
    original_dnshost: null,
    created_on: at,
    modified_on: at,
    activated_on: at,
    account: tenant,
    owner: { ...tenant, type: "organization" },
    permissions: [],
    ...zoneFacts,
  };
}

/** Cloudflare's form of an id. */
function bare(id: string): string {
  return id.replaceAll("-", "");
}

const reading = ["connections:read", "connections:write", "apps:admin"] as const;

const verifyTokenRoute = defineRoute({
  method: "GET",
  path: "/user/tokens/verify",
  tag: "Cloudflare",
  summary: "Say that the key is valid",
  scopes: [],
  role: "viewer",
  session: "refused",
  query: z.object({}),
  output: envelopeSchema(z.object({ id: z.string(), status: z.literal("active") })),
  statuses: [200],
  run: async ({ actor }) => (actor.kind === "key" ? actor.keyId : ""),
  reply: (id) =>
    succeed({ id: bare(id), status: "active" as const }, [
      { code: 10_000, message: "This API Token is valid and active" },
    ]),
});

const listZonesRoute = defineRoute({
  method: "GET",
  path: "/zones",
  tag: "Cloudflare",
  summary: "List applications as zones",
  scopes: reading,
  role: "viewer",
  session: "refused",
  query: z.object({ name: z.string().optional(), ...pageQuery }),
  output: listEnvelopeSchema(ZoneBody),
  statuses: [200],
  run: async (ctx, { query }) => {
    const numbers = { page: query.page, perPage: query.per_page };
    return { numbers, list: await listNamedApplications(ctx, query.name ?? null, numbers) };
  },
  reply: ({ list, numbers }) => succeedPage(list.items.map(zoneBody), list.total, numbers),
});

const getZoneRoute = defineRoute({
  method: "GET",
  path: "/zones/{zone}",
  tag: "Cloudflare",
  summary: "Read one application as a zone",
  scopes: reading,
  role: "viewer",
  session: "refused",
  params: ZoneParams,
  query: z.object({}),
  output: envelopeSchema(ZoneBody),
  statuses: [200],
  run: (ctx, { params }) => findZone(ctx, params.zone),
  reply: (application) => succeed(zoneBody(application)),
});

const FallbackOriginBody = z.object({
  origin: z.string(),
  status: z.enum(["active", "pending_deletion"]),
  errors: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});

interface ShownOrigin {
  readonly origin: string;
  readonly status: "active" | "pending_deletion";
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

function fallbackOriginBody({ origin, status, createdAt, updatedAt }: ShownOrigin) {
  return succeed({
    origin,
    status,
    errors: [],
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  });
}

function shown(fallback: FallbackOrigin, status: ShownOrigin["status"]): ShownOrigin {
  return { ...fallback, origin: showOrigin(fallback.url), status };
}

/**
 * What was set, else the edge's name: products show it to their customers as the target of the
 * CNAME, so it is never the application's own origin.
 */
async function readFallback(ctx: ServiceContext, zone: string): Promise<ShownOrigin> {
  const application = await findZone(ctx, zone);
  const fallback = await getFallbackOrigin(ctx, application);
  if (fallback !== null) return shown(fallback, "active");
  const { createdAt } = application;
  const { edgeCname: origin } = ctx.runtime.config;
  return { origin, status: "active", createdAt, updatedAt: createdAt };
}

const fallbackPath = "/zones/{zone}/custom_hostnames/fallback_origin";

const getFallbackOriginRoute = defineRoute({
  method: "GET",
  path: fallbackPath,
  tag: "Cloudflare",
  summary: "Read the origin that was set, else the name of the edge",
  scopes: reading,
  role: "viewer",
  session: "refused",
  params: ZoneParams,
  query: z.object({}),
  output: envelopeSchema(FallbackOriginBody),
  statuses: [200],
  run: (ctx, { params }) => readFallback(ctx, params.zone),
  reply: fallbackOriginBody,
});

const putFallbackOriginRoute = defineRoute({
  method: "PUT",
  path: fallbackPath,
  tag: "Cloudflare",
  summary: "Set the application's origin",
  scopes: ["apps:admin"],
  role: "developer",
  session: "refused",
  params: ZoneParams,
  query: z.object({}),
  body: z.strictObject({ origin: z.string().min(1).max(2_000) }),
  output: envelopeSchema(FallbackOriginBody),
  statuses: [200],
  run: async (ctx, { params, body }) => {
    const application = await findZone(ctx, params.zone);
    const url = parseOriginUrl(body.origin, "origin");
    return shown(await setFallbackOrigin(ctx, application, url), "active");
  },
  reply: fallbackOriginBody,
});

const deleteFallbackOriginRoute = defineRoute({
  method: "DELETE",
  path: fallbackPath,
  tag: "Cloudflare",
  summary: "Remove the origin that was set",
  scopes: ["apps:admin"],
  role: "developer",
  session: "refused",
  params: ZoneParams,
  query: z.object({}),
  body: z.unknown(),
  output: envelopeSchema(FallbackOriginBody),
  statuses: [200],
  run: async (ctx, { params }) => {
    const application = await findZone(ctx, params.zone);
    const removed = await removeFallbackOrigin(ctx, application);
    if (removed === null) throw missing("fallbackOrigin", params.zone);
    return shown(removed, "pending_deletion");
  },
  reply: fallbackOriginBody,
});

export const zoneRoutes: readonly Route[] = [
  verifyTokenRoute,
  listZonesRoute,
  getZoneRoute,
  getFallbackOriginRoute,
  putFallbackOriginRoute,
  deleteFallbackOriginRoute,
];
