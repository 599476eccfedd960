import {
  AppError,
  type Application,
  defineRoute,
  getNamedApplication,
  listNamedApplications,
  type Route,
  type ServiceContext,
  updateApplication,
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
});

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

interface FallbackOrigin {
  readonly application: Application;
  readonly originUrl: string;
  readonly status: "active" | "pending_deletion";
}

function fallbackOriginBody(fallback: FallbackOrigin) {
  const at = fallback.application.createdAt.toISOString();
  return succeed({
    origin: showOrigin(fallback.originUrl),
    status: fallback.status,
    errors: [],
    created_at: at,
    updated_at: at,
  });
}

async function findFallback(ctx: ServiceContext, zone: string): Promise<FallbackOrigin> {
  const application = await findZone(ctx, zone);
  if (application.originUrl === null) throw missing("fallbackOrigin", zone);
  return { application, originUrl: application.originUrl, status: "active" };
}

const fallbackPath = "/zones/{zone}/custom_hostnames/fallback_origin";

const getFallbackOriginRoute = defineRoute({
  method: "GET",
  path: fallbackPath,
  tag: "Cloudflare",
  summary: "Read the application's origin",
  scopes: reading,
  role: "viewer",
  session: "refused",
  params: ZoneParams,
  query: z.object({}),
  output: envelopeSchema(FallbackOriginBody),
  statuses: [200],
  run: (ctx, { params }) => findFallback(ctx, params.zone),
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
  body: z.object({ origin: z.string().min(1).max(2_000) }),
  output: envelopeSchema(FallbackOriginBody),
  statuses: [200],
  run: async (ctx, { params, body }): Promise<FallbackOrigin> => {
    const { id } = await findZone(ctx, params.zone);
    const originUrl = parseOriginUrl(body.origin, "origin");
    const application = await updateApplication(ctx, id, { origin_url: originUrl });
    return { application, originUrl, status: "active" };
  },
  reply: fallbackOriginBody,
});

const deleteFallbackOriginRoute = defineRoute({
  method: "DELETE",
  path: fallbackPath,
  tag: "Cloudflare",
  summary: "Remove the application's origin",
  scopes: ["apps:admin"],
  role: "developer",
  session: "refused",
  params: ZoneParams,
  query: z.object({}),
  body: z.unknown(),
  output: envelopeSchema(FallbackOriginBody),
  statuses: [200],
  run: async (ctx, { params }): Promise<FallbackOrigin> => {
    const present = await findFallback(ctx, params.zone);
    await updateApplication(ctx, present.application.id, { origin_url: null });
    return { ...present, status: "pending_deletion" };
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
