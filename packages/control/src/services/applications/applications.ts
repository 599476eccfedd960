import { recordTypes } from "@mooring/dns";
import { z } from "zod";
import type { Tx } from "../../db/engine/transaction.ts";
import { originIsListed } from "../../db/queries/applications/api-keys.ts";
import {
  type ApplicationChanges,
  type ApplicationPart,
  countPartsLocked,
  insertApplication,
  lockApplication,
  pageApplications,
  selectApplication,
  updateApplication as update,
} from "../../db/queries/applications/applications.ts";
import { requestRechecks } from "../../db/queries/connections/due-connections.ts";
import {
  type Application,
  defaultOriginTls,
  type StoredEdgeSettings,
  type TemplateRecord,
} from "../../domain/applications/application.ts";
import { proxiedChoices } from "../../domain/connections/front.ts";
import { AppError, type Issue, invalid, notFound } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { proofMethods } from "../../domain/ownership/proof-methods.ts";
import { isTargetName } from "../../domain/ownership/target.ts";
import { templateIssues } from "../../domain/records/record-template.ts";
import { environments } from "../../domain/tenancy.ts";
import { audit, type ServiceContext } from "../context.ts";
import { type Listing, type PageQuery, readPage } from "../paging.ts";
import type { Runtime } from "../runtime.ts";
import { BrandInput, brandIn } from "./brand.ts";
import { maintenanceIssues, storableRules } from "./edge-rules.ts";
import { boundIssues, changeEdgeSettings, EdgeChanges } from "./edge-settings.ts";
import {
  changeOriginTls,
  OriginTlsChanges,
  requireUsableTls,
  sealClientKey,
} from "./origin-tls.ts";
import { origins, originsIn, originUrl, requireUsableOrigins } from "./origins.ts";

const name = z.string().trim().min(1).max(100);

/**
 * A browser origin: scheme, host and port. With a path it would never match what a browser sends.
 */
const origin = z
  .string()
  .max(300)
  .transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    const isOrigin =
      url !== null &&
      (url.protocol === "https:" || url.protocol === "http:") &&
      url.pathname === "/" &&
      url.search + url.hash + url.username + url.password === "" &&
      !text.includes("*");
    if (!isOrigin) {
      context.addIssue({
        code: "custom",
        message: "expected an origin like https://app.example.com, without path or wildcard",
      });
      return z.NEVER;
    }
    return url.origin;
  });

const templateRecord = z.strictObject({
  host: z
    .string()
    .min(1)
    .max(500)
    .describe("`@`, a label below the hostname, or with placeholders"),
  type: z
    .string()
    .toUpperCase()
    .pipe(z.enum(recordTypes))
    .describe(`One of ${recordTypes.join(", ")}`),
  value: z.string().min(1).max(4_096),
  ttl: z
    .int()
    .min(0)
    .max(2_147_483_647)
    .nullish()
    .transform((ttl) => ttl ?? null),
  priority: z
    .int()
    .min(0)
    .max(65_535)
    .nullish()
    .transform((priority) => priority ?? null),
});

const maxOrigins = 100;
const settings = {
  allowed_origins: z
    .array(origin)
    .max(maxOrigins)
    .describe("Browser origins that may use the widget"),
  record_template: z.array(templateRecord).max(50).describe("Records each connected domain needs"),
  origin_url: originUrl
    .nullable()
    .describe(
      "Where the edge proxies connected domains to. An https origin may speak HTTP/2; `h2c://` is HTTP/2 without TLS",
    ),
  origin_host_header: z
    .enum(["preserve", "origin"])
    .describe("Host header sent to the origin: the visitor's, or the origin's own"),
  origins,
  origin_tls: OriginTlsChanges,
  edge: EdgeChanges,
  brand: BrandInput,
  wildcards: z
    .boolean()
    .describe("Whether wildcards may be connected, where validation is delegated; default true"),
  proxied: z
    .enum(proxiedChoices)
    .describe(
      "Whether names may stay behind a CDN, such as Cloudflare's proxy, that passes requests on to the edge; default `accept`. `refuse` asks the customer to switch it off",
    ),
  keep_oauth: z
    .boolean()
    .describe(
      "Whether a customer's sign-in at their DNS provider is retained for their connection, until it is archived; default false: it is used once",
    ),
  proofs: z
    .array(z.enum(proofMethods))
    .min(1)
    .transform((methods) => proofMethods.filter((method) => methods.includes(method)))
    .describe(
      "What may prove the ownership of a hostname: its TXT record, a CNAME to the connection's own `target`, or the CNAME that delegates validation; default all three",
    ),
};

export const CreateApplication = z.strictObject({
  name,
  environment: z.enum(environments).optional().describe("Defaults to the key's environment"),
  allowed_origins: settings.allowed_origins.optional(),
  record_template: settings.record_template.optional(),
  origin_url: settings.origin_url.optional(),
  origins: settings.origins.optional(),
  origin_host_header: settings.origin_host_header.optional(),
  origin_tls: settings.origin_tls.optional(),
  edge: settings.edge.optional(),
  brand: settings.brand.optional(),
  wildcards: settings.wildcards.optional(),
  proxied: settings.proxied.optional(),
  keep_oauth: settings.keep_oauth.optional(),
  proofs: settings.proofs.optional(),
});
export type CreateApplication = z.infer<typeof CreateApplication>;

export const UpdateApplication = z.strictObject({
  name: name.optional(),
  allowed_origins: settings.allowed_origins.optional(),
  add_allowed_origins: settings.allowed_origins
    .optional()
    .describe("Browser origins that may use the widget beside those that already may"),
  record_template: settings.record_template.optional(),
  origin_url: settings.origin_url.optional(),
  origins: settings.origins.optional(),
  origin_host_header: settings.origin_host_header.optional(),
  origin_tls: settings.origin_tls.optional(),
  edge: settings.edge.optional(),
  brand: settings.brand.optional(),
  wildcards: settings.wildcards.optional(),
  proxied: settings.proxied.optional(),
  keep_oauth: settings.keep_oauth.optional(),
  proofs: settings.proofs.optional(),
});
export type UpdateApplication = z.infer<typeof UpdateApplication>;

export function getApplication(ctx: ServiceContext, id: string): Promise<Application> {
  return ctx.read((tx) => requireApplication(tx, id));
}

/**
 * At most this many of each per application: every event is sent to every endpoint, in one
 * transaction.
 */
const caps = { api_keys: 100, credentials: 500, webhook_endpoints: 100 } as const;
const partNames = {
  api_keys: "keys",
  credentials: "credentials",
  webhook_endpoints: "webhook endpoints",
} as const;

/**
 * Throws `conflict` when the application has as many of them as allowed. Holds a lock until the
 * end.
 */
export async function requireBelowCap(
  tx: Tx,
  applicationId: string,
  part: ApplicationPart,
): Promise<void> {
  const count = await countPartsLocked(tx, applicationId, part);
  if (count === null) throw notFound("application");
  if (count < caps[part]) return;
  throw new AppError(
    "conflict",
    `the application has ${caps[part]} ${partNames[part]} already; remove one that is no longer used`,
    { details: { limit: caps[part] } },
  );
}

/** The application under this transaction's tenant and environment, or `not_found`. */
export async function requireApplication(tx: Tx, id: string): Promise<Application> {
  const application = await selectApplication(tx, id);
  if (!application) throw notFound("application");
  return application;
}

export function listApplications(
  ctx: ServiceContext,
  query: PageQuery,
): Promise<Listing<Application>> {
  return readPage(ctx, ["applications"], query, (tx, page) =>
    pageApplications(tx, ctx.actor, page),
  );
}

export async function createApplication(
  ctx: ServiceContext,
  input: CreateApplication,
): Promise<Application> {
  const { tenantId, environment } = ctx.actor;
  if (input.environment !== undefined && input.environment !== environment) {
    throw new AppError(
      "forbidden",
      `a ${environment} key cannot make a ${input.environment} application`,
    );
  }
  await requireValid(ctx, input);
  const createdAt = ctx.now();
  const application: Application = {
    id: newId(createdAt),
    tenantId,
    environment,
    name: input.name,
    allowedOrigins: input.allowed_origins ?? [],
    recordTemplate: input.record_template ?? [],
    ...(originsIn(input) ?? { originUrl: null, origins: [] }),
    originTls: changeOriginTls(defaultOriginTls, input.origin_tls ?? {}),
    originHostHeader: input.origin_host_header ?? "preserve",
    edge: changeEdgeSettings({}, await storableRules(input.edge ?? {})),
    brand: brandIn(input.brand ?? null),
    wildcards: input.wildcards ?? true,
    proxied: input.proxied ?? "accept",
    keepOAuth: input.keep_oauth ?? false,
    proofs: input.proofs ?? proofMethods,
    createdAt,
  };
  const key = sealClientKey(ctx.runtime.vault, application, input.origin_tls ?? {});
  return ctx.write(async (tx) => {
    await insertApplication(tx, application, key ?? null);
    await audit(ctx, tx, "application.create", application.id);
    return application;
  });
}

/** What the schema alone cannot tell. */
async function requireValid(ctx: ServiceContext, input: UpdateApplication): Promise<void> {
  const { runtime, now } = ctx;
  requireUsableTls(input.origin_tls ?? {}, now());
  await requireUsableOrigins(ctx, input);
  const issues = [
    ...templateIssues(input.record_template ?? []),
    ...targetIssues(runtime.config, input.record_template ?? []),
    ...boundIssues(input.edge ?? {}, runtime.config),
    ...maintenanceIssues(input.edge ?? {}, now()),
  ];
  if (issues.length > 0) throw invalid(issues);
}

/** A target belongs to one connection, so that no template can name it. */
function targetIssues(
  { edgeCname }: Pick<Runtime["config"], "edgeCname">,
  template: readonly TemplateRecord[],
): Issue[] {
  return template.flatMap(({ value }, index) =>
    isTargetName(edgeCname, value.toLowerCase().replace(/\.$/, ""))
      ? [{ path: `record_template.${index}.value`, message: "is a connection's; write {{target}}" }]
      : [],
  );
}

const recheckedAtOnce = 1_000;

export async function updateApplication(
  ctx: ServiceContext,
  id: string,
  input: UpdateApplication,
): Promise<Application> {
  await requireValid(ctx, input);
  const changes: ApplicationChanges = {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.allowed_origins ? { allowedOrigins: input.allowed_origins } : {}),
    ...(input.record_template ? { recordTemplate: input.record_template } : {}),
    ...originsIn(input),
    ...(input.origin_host_header ? { originHostHeader: input.origin_host_header } : {}),
    ...(input.brand === undefined ? {} : { brand: brandIn(input.brand) }),
    ...(input.wildcards === undefined ? {} : { wildcards: input.wildcards }),
    ...(input.proxied === undefined ? {} : { proxied: input.proxied }),
    ...(input.keep_oauth === undefined ? {} : { keepOAuth: input.keep_oauth }),
    ...(input.proofs === undefined ? {} : { proofs: input.proofs }),
  };
  const edge = input.edge && (await storableRules(input.edge));
  return ctx.write(async (tx) => {
    const merged = await mergedChanges(ctx, tx, id, { ...input, edge });
    const application = await update(tx, id, { ...changes, ...merged });
    if (!application) throw notFound("application");
    // Their records follow the template; those beyond the bound at their next regular check.
    if (input.record_template) await requestRechecks(tx, application, ctx.now(), recheckedAtOnce);
    await audit(ctx, tx, "application.update", id, {
      changed: Object.keys(input),
      ...(edge === undefined ? {} : { edge: Object.keys(edge) }),
    });
    return application;
  });
}

/** Lists that grow and objects whose keys are changed one by one, after the request. */
async function mergedChanges(
  { runtime }: ServiceContext,
  tx: Tx,
  id: string,
  {
    edge,
    origin_tls: tls,
    allowed_origins: replacing,
    add_allowed_origins: added,
  }: Omit<UpdateApplication, "edge"> & { readonly edge: StoredEdgeSettings | undefined },
): Promise<ApplicationChanges> {
  if (!edge && !tls && !added) return {};
  const application = await lockApplication(tx, id);
  if (!application) throw notFound("application");
  const sealedClientKey = sealClientKey(runtime.vault, application, tls ?? {});
  return {
    ...(added ? { allowedOrigins: union(replacing ?? application.allowedOrigins, added) } : {}),
    ...(edge ? { edge: changeEdgeSettings(application.edge, edge) } : {}),
    ...(tls ? { originTls: changeOriginTls(application.originTls, tls) } : {}),
    ...(sealedClientKey === undefined ? {} : { sealedClientKey }),
  };
}

function union(origins: readonly string[], added: readonly string[]): readonly string[] {
  const all = [...new Set([...origins, ...added])];
  if (all.length <= maxOrigins) return all;
  const message = `there would be ${all.length} origins, and ${maxOrigins} are allowed`;
  throw invalid([{ path: "add_allowed_origins", message }]);
}

const originTtlMs = 5_000;
const maxCachedOrigins = 10_000;

/**
 * Whether any application lists a browser origin, for CORS headers only: it protects nothing, so
 * the answer is cached for seconds. While the database is unreachable the last answer is used, so
 * that a browser can read the 503.
 */
export function createOriginCheck(
  runtime: Pick<Runtime, "database">,
  nowMs: () => number = () => performance.now(),
): (origin: string) => Promise<boolean> {
  const cache = new Map<string, { readonly isListed: boolean; readonly until: number }>();
  return async (origin) => {
    const now = nowMs();
    const cached = cache.get(origin);
    if (cached && cached.until > now) return cached.isListed;
    const isListed = await originIsListed(runtime.database, origin).catch((error: unknown) => {
      if (cached) return cached.isListed;
      throw error;
    });
    if (cache.size >= maxCachedOrigins) cache.clear();
    cache.set(origin, { isListed, until: now + originTtlMs });
    return isListed;
  };
}
