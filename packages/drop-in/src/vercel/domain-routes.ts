import {
  type DropInHostname,
  defineRoute,
  findDomain,
  getNamedApplication,
  isHeld,
  type ObservedDns,
  observeDns,
  type Route,
  removeDomain,
  type ServiceContext,
} from "@mooring/control/drop-in";
import { z } from "zod";
import { noDomain } from "./errors.ts";
import { ownDomainRoutes } from "./own-domains.ts";

const DomainParams = z.strictObject({ domain: z.string() });
const facts = { tag: "Vercel", session: "refused" } as const;

const ranked = <T extends z.ZodType>(value: T) => z.array(z.object({ rank: z.int(), value }));

const ConfigBody = z.object({
  configuredBy: z.enum(["A", "CNAME"]).nullable(),
  acceptedChallenges: z.array(z.enum(["dns-01", "http-01"])),
  recommendedIPv4: ranked(z.array(z.string())),
  recommendedCNAME: ranked(z.string()),
  misconfigured: z.boolean(),
  serviceType: z.literal("external"),
  nameservers: z.array(z.string()),
  aValues: z.array(z.string()),
  cnames: z.array(z.string()),
  conflicts: z.array(z.object({ name: z.string(), type: z.string(), value: z.string() })),
});

interface DomainConfig {
  /** Null for a domain that nobody of the tenant has added. */
  readonly found: DropInHostname | null;
  readonly dns: ObservedDns;
  readonly edge: { readonly ipv4: readonly string[]; readonly cname: string };
}

async function readConfig(
  ctx: ServiceContext,
  domain: string,
  project: string | undefined,
): Promise<DomainConfig> {
  const { edgeIpv4: ipv4, edgeCname: cname } = ctx.runtime.config;
  const application = project === undefined ? null : await getNamedApplication(ctx, project);
  const found = await findDomain(ctx, "vercel", domain, application);
  const dns = await observeDns(ctx, domain, found?.connection ?? null);
  return { found, dns, edge: { ipv4, cname } };
}

/** The records are all there from the state on in which the certificate is obtained. */
function configBody({ found, dns, edge }: DomainConfig): z.input<typeof ConfigBody> {
  const connection = found?.connection;
  const isRight = connection?.state === "live" || connection?.state === "issuing_cert";
  const desired = recordsAt(connection?.desiredRecords, connection?.hostname);
  const seen = recordsAt(connection?.observedRecords, connection?.hostname);
  const ipv4 = desired.A.length > 0 ? desired.A : edge.ipv4;
  return {
    configuredBy: isRight ? (desired.CNAME.length > 0 ? "CNAME" : "A") : null,
    acceptedChallenges: [
      ...(isRight ? (["http-01"] as const) : []),
      ...(connection?.validationStatus === "right" ? (["dns-01"] as const) : []),
    ],
    recommendedIPv4: ipv4.length > 0 ? [{ rank: 1, value: [...ipv4] }] : [],
    recommendedCNAME: [{ rank: 1, value: desired.CNAME[0] ?? found?.target ?? edge.cname }],
    misconfigured: !isRight,
    serviceType: "external",
    nameservers: [...dns.nameservers],
    aValues: seen.A,
    cnames: seen.CNAME,
    conflicts: dns.conflicts.map(({ host, type, value }) => ({ name: host, type, value })),
  };
}

function recordsAt(
  records: DropInHostname["connection"]["desiredRecords"] = [],
  hostname = "",
): { readonly A: string[]; readonly CNAME: string[] } {
  const values = (type: string) =>
    records
      .filter((record) => record.type === type && record.host === hostname)
      .map(({ value }) => value);
  return { A: values("A"), CNAME: values("CNAME") };
}

const getConfigRoute = defineRoute({
  ...facts,
  method: "GET",
  path: "/v6/domains/{domain}/config",
  summary: "Say whether a domain's records are right, and what they should be",
  scopes: ["connections:read"],
  role: "viewer",
  params: DomainParams,
  query: z.object({ projectIdOrName: z.string().optional() }),
  output: ConfigBody,
  statuses: [200],
  run: (ctx, { params, query }) => readConfig(ctx, params.domain, query.projectIdOrName),
  reply: configBody,
});

const removeRoute = defineRoute({
  ...facts,
  method: "DELETE",
  path: "/v6/domains/{domain}",
  summary: "Offboard a domain and the names below it",
  scopes: ["connections:write"],
  role: "developer",
  timeoutMs: 30_000,
  params: DomainParams,
  query: z.object({}),
  body: z.unknown(),
  output: z.object({ uid: z.string() }),
  statuses: [200],
  run: async (ctx, { params }) => {
    const domain = params.domain.toLowerCase();
    if ((await removeDomain(ctx, domain)) === 0) throw noDomain(params.domain);
    return domain;
  },
  reply: (uid) => ({ uid }),
});

const getStatusRoute = defineRoute({
  ...facts,
  method: "GET",
  path: "/v4/domains/status",
  summary: "Say whether nobody holds a domain",
  scopes: ["connections:read", "connections:write"],
  role: "viewer",
  limit: "check",
  query: z.object({ name: z.string().min(1).max(1_000) }),
  output: z.object({ available: z.boolean() }),
  statuses: [200],
  run: (ctx, { query }) => isHeld(ctx, query.name),
  reply: (isTaken) => ({ available: !isTaken }),
});

export const domainRoutes: readonly Route[] = [
  ...ownDomainRoutes,
  getConfigRoute,
  removeRoute,
  getStatusRoute,
];
