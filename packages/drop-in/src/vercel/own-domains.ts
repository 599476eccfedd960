import {
  defineRoute,
  findOwnDomain,
  type ListedDomain,
  listOwnDomains,
  observeDns,
  type Route,
} from "@mooring/control/drop-in";
import { z } from "zod";
import { noDomain } from "./errors.ts";
import { paginationSchema, timedQuery } from "./pages.ts";

const facts = { tag: "Vercel", session: "refused" } as const;

const OwnDomainBody = z.object({
  id: z.string(),
  name: z.string(),
  serviceType: z.literal("external"),
  nameservers: z.array(z.string()),
  intendedNameservers: z.array(z.string()),
  creator: z.object({ id: z.string(), username: z.string(), email: z.string() }),
  userId: z.string(),
  teamId: z.string().nullable(),
  createdAt: z.int(),
  boughtAt: z.int().nullable(),
  expiresAt: z.int().nullable(),
  renew: z.boolean(),
  echMode: z.literal("disabled"),
  verified: z.boolean(),
});

interface OwnDomain extends ListedDomain {
  readonly tenantId: string;
  readonly nameservers: readonly string[];
}

/** A registered domain, whichever of its names were added, in the words of the vendor's account. */
function ownDomainBody(domain: OwnDomain): z.input<typeof OwnDomainBody> {
  const { name, createdAt, verified, tenantId, nameservers } = domain;
  return {
    id: name,
    name,
    serviceType: "external",
    nameservers: [...nameservers],
    intendedNameservers: [],
    creator: { id: tenantId, username: "", email: "" },
    userId: tenantId,
    teamId: null,
    createdAt: createdAt.getTime(),
    boughtAt: null,
    expiresAt: null,
    renew: false,
    echMode: "disabled",
    verified,
  };
}

const listRoute = defineRoute({
  ...facts,
  method: "GET",
  path: "/v5/domains",
  summary: "List the registered domains of which names were added",
  scopes: ["connections:read"],
  role: "viewer",
  query: z.object(timedQuery),
  output: z.object({ domains: z.array(OwnDomainBody), pagination: paginationSchema }),
  statuses: [200],
  run: async (ctx, { query }) => {
    const { limit, since, until } = query;
    const page = await listOwnDomains(ctx, { limit, since, until });
    return { page, tenantId: ctx.actor.tenantId };
  },
  reply: ({ page, tenantId }) => ({
    // Whose servers they have is read of one, not of a page: each is a question to DNS.
    domains: page.items.map((domain) => ownDomainBody({ ...domain, tenantId, nameservers: [] })),
    pagination: {
      count: page.items.length,
      next: page.older?.getTime() ?? null,
      prev: page.newer?.getTime() ?? null,
    },
  }),
});

const getRoute = defineRoute({
  ...facts,
  method: "GET",
  path: "/v5/domains/{domain}",
  summary: "Read a registered domain of which names were added",
  scopes: ["connections:read"],
  role: "viewer",
  params: z.strictObject({ domain: z.string() }),
  query: z.object({}),
  output: z.object({ domain: OwnDomainBody.extend({ suffix: z.boolean() }) }),
  statuses: [200],
  run: async (ctx, { params }) => {
    const found = await findOwnDomain(ctx, params.domain);
    if (found === null) throw noDomain(params.domain);
    const { nameservers } = await observeDns(ctx, found.name, null);
    return { ...found, tenantId: ctx.actor.tenantId, nameservers };
  },
  reply: (domain) => ({ domain: { ...ownDomainBody(domain), suffix: false } }),
});

export const ownDomainRoutes: readonly Route[] = [listRoute, getRoute];
