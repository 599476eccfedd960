import { z } from "zod";
import { caLimits } from "../../domain/certificates/certificate.ts";
import { removalStart } from "../../services/operator/tenant-states.ts";
import {
  type CaView,
  type EdgeView,
  type ProviderView,
  type QueueView,
  type TenantView,
  viewCas,
  viewEdges,
  viewProviders,
  viewQueues,
  viewTenants,
} from "../../services/operator/views.ts";
import { pageQuery } from "../../services/paging.ts";
import { defineRoute, listing, listSchema, Time, time, timeOrNull, Uuid } from "../http/route.ts";

const shared = {
  method: "GET",
  tag: "Operator",
  scopes: [],
  role: "viewer",
  session: "operator",
  statuses: [200],
} as const;

const counts = z.record(z.string(), z.int());

const TenantBody = z
  .object({
    id: Uuid,
    name: z.string(),
    plan: z.string(),
    members: z.int(),
    held: counts.describe("Hostnames that it holds now, by environment"),
    usage: counts.describe("Of this month, in the live environment"),
    created_at: Time,
    state: z
      .enum(["active", "suspended", "deleting"])
      .describe("Set by `mooring tenants suspend`, `resume` and `delete`"),
    suspended_reason: z.string().nullable().describe("As the operator named it"),
    removed_after: Time.nullable().describe("When all rows of a deleted tenant are removed"),
  })
  .meta({ id: "OperatorTenant" });

function tenantBody(tenant: TenantView): z.input<typeof TenantBody> {
  const { createdAt, suspendedReason, deletedAt, ...rest } = tenant;
  return {
    ...rest,
    held: { ...tenant.held },
    usage: { ...tenant.usage },
    created_at: time(createdAt),
    suspended_reason: suspendedReason,
    removed_after: deletedAt === null ? null : time(removalStart(deletedAt)),
  };
}

export const viewTenantsRoute = defineRoute({
  ...shared,
  path: "/v1/operator/tenants",
  summary: "Tenants with plan and usage, newest first",
  query: z.strictObject({
    ...pageQuery,
    q: z.string().min(1).max(100).optional().describe("A part of the tenant's name"),
  }),
  output: listSchema(TenantBody),
  run: (ctx, { query }) => viewTenants(ctx, query),
  reply: (page) => listing(page, tenantBody),
});

const EdgeBody = z
  .object({
    id: Uuid,
    address: z.string(),
    version: z.string(),
    certificates: z.int().describe("Names that it serves"),
    started_at: Time,
    last_seen_at: Time,
  })
  .meta({ id: "OperatorEdge" });

function edgeBody({ startedAt, lastSeenAt, ...edge }: EdgeView): z.input<typeof EdgeBody> {
  return { ...edge, started_at: time(startedAt), last_seen_at: time(lastSeenAt) };
}

export const viewEdgesRoute = defineRoute({
  ...shared,
  path: "/v1/operator/edges",
  summary: "Edge processes that reported within a day",
  output: z.object({ data: z.array(EdgeBody) }),
  run: (ctx) => viewEdges(ctx),
  reply: (all) => ({ data: all.map(edgeBody) }),
});

const QueueBody = z
  .object({
    work: z.string(),
    waiting: z.int(),
    oldest_s: z.number(),
    parked: z.int().describe("Rows that no worker tries any more, because every run failed"),
  })
  .meta({ id: "OperatorQueue" });

function queueBody({ work, rows, oldestSeconds, parked }: QueueView): z.input<typeof QueueBody> {
  return { work, waiting: rows, oldest_s: oldestSeconds, parked };
}

export const viewQueuesRoute = defineRoute({
  ...shared,
  path: "/v1/operator/queues",
  summary: "What is due and waits, and for how long",
  output: z.object({ data: z.array(QueueBody) }),
  run: (ctx) => viewQueues(ctx),
  reply: (all) => ({ data: all.map(queueBody) }),
});

const AllowanceBody = z
  .object({
    left: z.int(),
    limit: z.int(),
    per_s: z.int().describe("As many as `limit` again in so many seconds"),
  })
  .nullable();

const BudgetBody = z
  .object({
    orders: AllowanceBody.describe("New certificates"),
    renewals: AllowanceBody.describe("Renewals, by our own pace"),
    held_until: Time.nullable().describe("Until then the CA takes no orders"),
    held_for: z.enum(["ca_rate_limited", "ca_unavailable"]).nullable(),
  })
  .meta({ id: "CaBudget" });

const CaBody = z
  .object({
    issuer: z.string(),
    waiting: z.int().describe("Names that wait for one of its limits"),
    waiting_for: z
      .object(Object.fromEntries(caLimits.map((name) => [name, z.int()])))
      .describe(
        "The same, by the limit: of all orders, of renewals, of a domain, of a name, of failures",
      ),
    issued_last_day: z.int(),
    issued_last_week: z.int(),
    failing: z.int(),
    budget: BudgetBody.nullable().describe("Null for a CA that no edge orders from"),
  })
  .meta({ id: "OperatorCa" });

function caBody(ca: CaView): z.input<typeof CaBody> {
  return {
    issuer: ca.issuer,
    waiting: ca.waiting,
    waiting_for: Object.fromEntries(caLimits.map((name) => [name, ca.waitingFor[name] ?? 0])),
    issued_last_day: ca.issuedLastDay,
    issued_last_week: ca.issuedLastWeek,
    failing: ca.failing,
    budget:
      ca.budget === null
        ? null
        : {
            orders: allowanceBody(ca.budget.orders),
            renewals: allowanceBody(ca.budget.renewals),
            held_until: timeOrNull(ca.budget.waitsUntil),
            held_for: ca.budget.waitsFor,
          },
  };
}

type Allowance = NonNullable<CaView["budget"]>["orders"];

function allowanceBody(allowance: Allowance): z.input<typeof AllowanceBody> {
  if (allowance === null) return null;
  return { left: allowance.left, limit: allowance.limit, per_s: allowance.perSeconds };
}

export const viewCasRoute = defineRoute({
  ...shared,
  path: "/v1/operator/certificate-authorities",
  summary: "What each CA has issued, what is left of its limits, and what waits for them",
  output: z.object({ data: z.array(CaBody) }),
  run: (ctx) => viewCas(ctx),
  reply: (all) => ({ data: all.map(caBody) }),
});

const ProviderHealthBody = z
  .object({
    provider: z.string(),
    credentials: z.int(),
    failing: z.int().describe("Credentials that stopped working"),
    affected: z.int().describe("Connections that it refuses, delays or does not answer for"),
  })
  .meta({ id: "OperatorProvider" });

function providerBody(view: ProviderView): z.input<typeof ProviderHealthBody> {
  return { ...view };
}

export const viewProvidersRoute = defineRoute({
  ...shared,
  path: "/v1/operator/providers",
  summary: "How DNS providers behave, over all tenants",
  output: z.object({ data: z.array(ProviderHealthBody) }),
  run: (ctx) => viewProviders(ctx),
  reply: (all) => ({ data: all.map(providerBody) }),
});
