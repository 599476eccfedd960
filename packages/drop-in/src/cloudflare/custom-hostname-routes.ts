import {
  addHostname,
  canonical,
  changeHostname,
  type DropInHostname,
  defineRoute,
  deleteConnection,
  getHostname,
  type HostnameFilter,
  invalid,
  listHostnames,
  type Route,
  readId,
  type ServiceContext,
  setOwnCertificate,
} from "@mooring/control/drop-in";
import { z } from "zod";
import {
  CreateHostname,
  EditHostname,
  HostnameBody,
  hostnameBody,
  mergeFields,
  ownCertificateIn,
} from "./custom-hostname.ts";
import { envelopeSchema, listEnvelopeSchema, pageQuery, succeed, succeedPage } from "./envelope.ts";
import { parseOriginUrl } from "./origin.ts";
import { statesBy, statesWith } from "./status.ts";
import { findZone, ZoneParams } from "./zones.ts";

const vendor = "cloudflare";
const collection = "/zones/{zone}/custom_hostnames";
const item = `${collection}/{id}` as const;
const HostnameParams = z.strictObject({ zone: z.string(), id: z.string() });
const facts = { tag: "Cloudflare", session: "refused" } as const;

const createRoute = defineRoute({
  ...facts,
  method: "POST",
  path: collection,
  summary: "Start connecting a domain",
  scopes: ["connections:write"],
  role: "developer",
  idempotent: true,
  timeoutMs: 8_000,
  params: ZoneParams,
  query: z.object({}),
  body: CreateHostname,
  output: envelopeSchema(HostnameBody),
  statuses: [201],
  run: async (ctx, { params, body }) => {
    const application = await findZone(ctx, params.zone);
    return addHostname(ctx, application, body.hostname, {
      vendor,
      originUrl: originIn(body),
      fields: mergeFields(body, {}),
    });
  },
  reply: (shown) => succeed(hostnameBody(shown)),
});

/** Undefined when it stays; an empty one goes back to the application's. */
function originIn({ custom_origin_server: server }: EditHostname): string | null | undefined {
  if (server === undefined) return undefined;
  return server === null || server === "" ? null : parseOriginUrl(server, "custom_origin_server");
}

const ListQuery = z.object({
  id: z.string().optional(),
  hostname: z.string().optional(),
  "hostname.exact": z.string().optional(),
  "hostname.contain": z.string().optional(),
  "hostname.startsWith": z.string().optional(),
  hostname_status: z.string().optional(),
  ssl: z.enum(["0", "1"]).optional(),
  ssl_status: z.string().optional(),
  certificate_authority: z.string().optional(),
  custom_origin_server: z.string().optional(),
  wildcard: z.enum(["true", "false"]).optional(),
  order: z.enum(["ssl", "ssl_status"]).optional(),
  direction: z.enum(["asc", "desc"]).default("desc"),
  ...pageQuery,
});

function toFilter(applicationId: string, query: z.infer<typeof ListQuery>): HostnameFilter {
  const exact = query["hostname.exact"] ?? query.hostname;
  const { "hostname.contain": contains, "hostname.startsWith": startsWith } = query;
  const { certificate_authority: certificateAuthority, custom_origin_server: server } = query;
  return {
    applicationId,
    ...(query.id === undefined ? {} : { ids: [readId(query.id)].filter((id) => id !== null) }),
    // Every hostname here has a certificate, or is about to.
    ...(query.ssl === "0" ? { ids: [] } : {}),
    ...(exact === undefined ? {} : { hostname: canonical(exact) }),
    ...(contains === undefined ? {} : { contains: contains.toLowerCase() }),
    ...(startsWith === undefined ? {} : { startsWith: startsWith.toLowerCase() }),
    ...statesIn(query),
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    ...(server === undefined ? {} : { originUrl: parseOriginUrl(server, "custom_origin_server") }),
    ...(query.wildcard === undefined ? {} : { isWildcard: query.wildcard === "true" }),
  };
}

function statesIn({
  hostname_status: status,
  ssl_status: ssl,
}: z.infer<typeof ListQuery>): Pick<HostnameFilter, "states"> {
  const requested = [
    ...(status === undefined ? [] : [statesWith("status", status)]),
    ...(ssl === undefined ? [] : [statesWith("ssl", ssl)]),
  ];
  const [first, ...others] = requested;
  if (first === undefined) return {};
  return { states: first.filter((state) => others.every((states) => states.includes(state))) };
}

const listRoute = defineRoute({
  ...facts,
  method: "GET",
  path: collection,
  summary: "List the domains of an application",
  scopes: ["connections:read"],
  role: "viewer",
  params: ZoneParams,
  query: ListQuery,
  output: listEnvelopeSchema(HostnameBody),
  statuses: [200],
  run: async (ctx, { params, query }) => {
    const { id } = await findZone(ctx, params.zone);
    const numbers = { page: query.page, perPage: query.per_page };
    const list = await listHostnames(ctx, vendor, toFilter(id, query), {
      ...numbers,
      direction: query.direction,
      byState: query.order === undefined ? null : statesBy("ssl"),
    });
    return { numbers, list };
  },
  reply: ({ list, numbers }) => succeedPage(list.items.map(hostnameBody), list.total, numbers),
});

async function readHostname(
  ctx: ServiceContext,
  { zone, id }: z.infer<typeof HostnameParams>,
): Promise<DropInHostname> {
  return getHostname(ctx, vendor, await findZone(ctx, zone), id);
}

const getRoute = defineRoute({
  ...facts,
  method: "GET",
  path: item,
  summary: "Read one domain",
  scopes: ["connections:read"],
  role: "viewer",
  params: HostnameParams,
  query: z.object({}),
  output: envelopeSchema(HostnameBody),
  statuses: [200],
  run: (ctx, { params }) => readHostname(ctx, params),
  reply: (shown) => succeed(hostnameBody(shown)),
});

const editRoute = defineRoute({
  ...facts,
  method: "PATCH",
  path: item,
  summary: "Change how a domain is served, and check it again",
  scopes: ["connections:write"],
  role: "developer",
  limit: "check",
  timeoutMs: 15_000,
  params: HostnameParams,
  query: z.object({}),
  body: EditHostname,
  output: envelopeSchema(HostnameBody),
  statuses: [202],
  run: async (ctx, { params, body }) => {
    const present = await readHostname(ctx, params);
    requireSameName(present, body);
    const own = ownCertificateIn(body);
    if (own !== null) await setOwnCertificate(ctx, present.connection.id, own);
    return changeHostname(ctx, present, {
      vendor,
      originUrl: originIn(body),
      fields: mergeFields(body, present.fields),
    });
  },
  reply: (shown) => succeed(hostnameBody(shown)),
});

function requireSameName({ connection }: DropInHostname, { hostname }: EditHostname): void {
  if (hostname === undefined || canonical(hostname) === connection.hostname) return;
  throw invalid([{ path: "hostname", message: "it cannot be changed; add another" }]);
}

const deleteRoute = defineRoute({
  ...facts,
  method: "DELETE",
  path: item,
  summary: "Offboard a domain",
  scopes: ["connections:write"],
  role: "developer",
  params: HostnameParams,
  query: z.object({}),
  body: z.unknown(),
  output: envelopeSchema(z.object({ id: z.string() })).extend({ id: z.string() }),
  statuses: [200],
  run: async (ctx, { params }) => {
    const { connection } = await readHostname(ctx, params);
    return deleteConnection(ctx, connection.id, { revertDns: false });
  },
  // The vendor's client reads the id beside the result, others in it.
  reply: ({ id }) => ({ ...succeed({ id }), id }),
});

export const customHostnameRoutes: readonly Route[] = [
  createRoute,
  listRoute,
  getRoute,
  editRoute,
  deleteRoute,
];
