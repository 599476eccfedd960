import {
  type Application,
  addHostname,
  changeHostname,
  connectionStates,
  type DropInHostname,
  defineRoute,
  deleteConnection,
  findDomain,
  getNamedApplication,
  type HostnameFilter,
  holdsClaim,
  listDomains,
  type Route,
  type ServiceContext,
  verifyConnection,
} from "@mooring/control/drop-in";
import { z } from "zod";
import { noDomain } from "./errors.ts";
import { paginationSchema, timedQuery } from "./pages.ts";
import { AddDomain, DomainBody, domainBody, storedFields, UpdateDomain } from "./project-domain.ts";

const vendor = "vercel";
const collection = "/v9/projects/{project}/domains";
const item = `${collection}/{domain}` as const;
const ProjectParams = z.strictObject({ project: z.string() });
const DomainParams = z.strictObject({ project: z.string(), domain: z.string() });
/** `teamId` and `slug` are in every request; the key says whose it is. */
const AnyQuery = z.object({});
const facts = { tag: "Vercel", session: "refused" } as const;

/** The vendor's client accepts 200 only. */
function addRoute(version: "v9" | "v10"): Route {
  return defineRoute({
    ...facts,
    method: "POST",
    path: `/${version}/projects/{project}/domains`,
    summary: "Start connecting a domain",
    scopes: ["connections:write"],
    role: "developer",
    idempotent: true,
    timeoutMs: 8_000,
    params: ProjectParams,
    query: AnyQuery,
    body: AddDomain,
    output: DomainBody,
    statuses: [200],
    run: async (ctx, { params, body }) => {
      const application = await getNamedApplication(ctx, params.project);
      const { redirect: redirectTo } = body;
      return addHostname(ctx, application, body.name, {
        vendor,
        redirectTo,
        fields: storedFields(body),
      });
    },
    reply: domainBody,
  });
}

const trueOrFalse = z.enum(["true", "false"]).optional();

const ListQuery = z.object({
  ...timedQuery,
  order: z.enum(["ASC", "DESC"]).default("DESC"),
  verified: trueOrFalse,
  redirects: trueOrFalse,
  redirect: z.string().optional(),
});

const claimed = connectionStates.filter(holdsClaim);
const unclaimed = connectionStates.filter((state) => !holdsClaim(state));

function toFilter(
  application: Application,
  { verified, redirects, redirect }: z.infer<typeof ListQuery>,
): HostnameFilter {
  return {
    applicationId: application.id,
    ...(verified === undefined ? {} : { states: verified === "true" ? claimed : unclaimed }),
    // With "true", which the client sends by default, those that redirect are listed too.
    ...(redirects === "false" ? { redirects: false } : {}),
    ...(redirect === undefined ? {} : { redirectTo: redirect.toLowerCase() }),
  };
}

const listRoute = defineRoute({
  ...facts,
  method: "GET",
  path: collection,
  summary: "List the domains of an application",
  scopes: ["connections:read"],
  role: "viewer",
  params: ProjectParams,
  query: ListQuery,
  output: z.object({
    domains: z.array(DomainBody),
    pagination: paginationSchema,
  }),
  statuses: [200],
  run: async (ctx, { params, query }) => {
    const application = await getNamedApplication(ctx, params.project);
    const { limit, since, until, order } = query;
    const list = await listDomains(ctx, vendor, toFilter(application, query), {
      limit,
      since,
      until,
    });
    return { list, order };
  },
  reply: ({ list, order }) => {
    const domains = list.items.map(domainBody);
    return {
      domains: order === "ASC" ? domains.toReversed() : domains,
      pagination: {
        count: domains.length,
        next: list.older?.getTime() ?? null,
        prev: list.newer?.getTime() ?? null,
      },
    };
  },
});

async function readDomain(
  ctx: ServiceContext,
  { project, domain }: z.infer<typeof DomainParams>,
): Promise<DropInHostname> {
  const application = await getNamedApplication(ctx, project);
  const found = await findDomain(ctx, vendor, domain, application);
  if (found === null) throw noDomain(domain);
  return found;
}

const getRoute = defineRoute({
  ...facts,
  method: "GET",
  path: item,
  summary: "Read one domain",
  scopes: ["connections:read"],
  role: "viewer",
  params: DomainParams,
  query: AnyQuery,
  output: DomainBody,
  statuses: [200],
  run: (ctx, { params }) => readDomain(ctx, params),
  reply: domainBody,
});

const updateRoute = defineRoute({
  ...facts,
  method: "PATCH",
  path: item,
  summary: "Change where a domain redirects to",
  scopes: ["connections:write"],
  role: "developer",
  limit: "check",
  timeoutMs: 15_000,
  params: DomainParams,
  query: AnyQuery,
  body: UpdateDomain,
  output: DomainBody,
  statuses: [200],
  run: async (ctx, { params, body }) => {
    const present = await readDomain(ctx, params);
    return changeHostname(ctx, present, {
      vendor,
      redirectTo: body.redirect,
      fields: storedFields(body),
    });
  },
  reply: domainBody,
});

const removeRoute = defineRoute({
  ...facts,
  method: "DELETE",
  path: item,
  summary: "Offboard a domain",
  scopes: ["connections:write"],
  role: "developer",
  params: DomainParams,
  query: AnyQuery,
  body: z.unknown(),
  output: z.object({}),
  statuses: [200],
  run: async (ctx, { params }) => {
    const { connection } = await readDomain(ctx, params);
    return deleteConnection(ctx, connection.id, { revertDns: false });
  },
  reply: () => ({}),
});

const verifyRoute = defineRoute({
  ...facts,
  method: "POST",
  path: `${item}/verify`,
  summary: "Check the ownership record now",
  scopes: ["connections:write"],
  role: "support",
  limit: "check",
  timeoutMs: 15_000,
  params: DomainParams,
  query: AnyQuery,
  body: z.unknown(),
  output: DomainBody,
  statuses: [200],
  run: async (ctx, { params }) => {
    const present = await readDomain(ctx, params);
    return { ...present, connection: await verifyConnection(ctx, present.connection.id) };
  },
  reply: domainBody,
});

export const projectDomainRoutes: readonly Route[] = [
  addRoute("v10"),
  addRoute("v9"),
  listRoute,
  getRoute,
  updateRoute,
  removeRoute,
  verifyRoute,
];
