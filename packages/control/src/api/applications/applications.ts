import { z } from "zod";
import type { Application } from "../../domain/applications/application.ts";
import { proxiedChoices } from "../../domain/connections/front.ts";
import { proofMethods } from "../../domain/ownership/proof-methods.ts";
import { environments } from "../../domain/tenancy.ts";
import {
  CreateApplication,
  createApplication,
  getApplication,
  listApplications,
  UpdateApplication,
  updateApplication,
} from "../../services/applications/applications.ts";
import { BrandBody, brandBody } from "../../services/applications/brand.ts";
import { deleteApplication } from "../../services/applications/delete.ts";
import { EdgeSettings, readEdgeSettings } from "../../services/applications/edge-settings.ts";
import { OriginTlsBody, originTlsBody } from "../../services/applications/origin-tls.ts";
import { OriginBody } from "../../services/applications/origins.ts";
import { pageQuery } from "../../services/paging.ts";
import {
  defineRoute,
  IdParams,
  listing,
  listSchema,
  RecordBody,
  Time,
  time,
  Uuid,
} from "../http/route.ts";

const ApplicationBody = z
  .object({
    id: Uuid,
    name: z.string(),
    environment: z.enum(environments),
    allowed_origins: z.array(z.string()),
    record_template: z.array(RecordBody),
    origin_url: z.string().nullable(),
    origins: z.array(OriginBody),
    origin_host_header: z.enum(["preserve", "origin"]),
    origin_tls: OriginTlsBody,
    edge: EdgeSettings,
    brand: BrandBody.nullable(),
    wildcards: z.boolean(),
    proxied: z.enum(proxiedChoices),
    keep_oauth: z.boolean(),
    proofs: z.array(z.enum(proofMethods)),
    created_at: Time,
  })
  .meta({ id: "Application" });

function applicationBody(application: Application): z.input<typeof ApplicationBody> {
  return {
    id: application.id,
    name: application.name,
    environment: application.environment,
    allowed_origins: [...application.allowedOrigins],
    record_template: application.recordTemplate.map((record) => ({ ...record })),
    origin_url: application.originUrl,
    origin_host_header: application.originHostHeader,
    origins: application.origins.map((origin) => ({ ...origin })),
    origin_tls: originTlsBody(application.originTls),
    edge: readEdgeSettings(application.edge),
    brand: brandBody(application.brand),
    wildcards: application.wildcards,
    proxied: application.proxied,
    keep_oauth: application.keepOAuth,
    proofs: [...application.proofs],
    created_at: time(application.createdAt),
  };
}

export const createApplicationRoute = defineRoute({
  method: "POST",
  path: "/v1/applications",
  tag: "Applications",
  summary: "Create an application",
  scopes: ["apps:admin"],
  role: "developer",
  idempotent: true,
  body: CreateApplication,
  output: ApplicationBody,
  statuses: [201],
  run: (ctx, { body }) => createApplication(ctx, body),
  reply: applicationBody,
});

export const listApplicationsRoute = defineRoute({
  method: "GET",
  path: "/v1/applications",
  tag: "Applications",
  summary: "List applications, newest first",
  scopes: ["apps:admin"],
  role: "viewer",
  query: z.strictObject(pageQuery),
  output: listSchema(ApplicationBody),
  statuses: [200],
  run: (ctx, { query }) => listApplications(ctx, query),
  reply: (page) => listing(page, applicationBody),
});

export const getApplicationRoute = defineRoute({
  method: "GET",
  path: "/v1/applications/{id}",
  tag: "Applications",
  summary: "Read one application",
  scopes: ["apps:admin"],
  role: "viewer",
  params: IdParams,
  output: ApplicationBody,
  statuses: [200],
  run: (ctx, { params }) => getApplication(ctx, params.id),
  reply: applicationBody,
});

export const updateApplicationRoute = defineRoute({
  method: "PATCH",
  path: "/v1/applications/{id}",
  tag: "Applications",
  summary: "Change an application",
  scopes: ["apps:admin"],
  role: "developer",
  params: IdParams,
  body: UpdateApplication,
  output: ApplicationBody,
  statuses: [200],
  run: (ctx, { params, body }) => updateApplication(ctx, params.id, body),
  reply: applicationBody,
});

export const deleteApplicationRoute = defineRoute({
  method: "DELETE",
  path: "/v1/applications/{id}",
  tag: "Applications",
  summary: "Delete an application",
  description:
    "Its keys are revoked, its webhook receivers and credentials deleted. 409 while it has connections that are not archived, and for a key that was made under it.",
  scopes: ["apps:admin"],
  role: "owner",
  params: IdParams,
  output: null,
  statuses: [204],
  errors: ["conflict"],
  run: (ctx, { params }) => deleteApplication(ctx, params.id),
  reply: () => null,
});
