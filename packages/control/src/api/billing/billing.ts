import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { currency, type Plan } from "../../domain/billing/plan.ts";
import { subscriptionStatuses } from "../../domain/billing/subscription.ts";
import { AppError } from "../../domain/errors.ts";
import { receiveStripeEvent } from "../../services/billing/receive-event.ts";
import {
  getSubscription,
  type StartedCheckout,
  Subscribe,
  type SubscriptionView,
  subscribe,
} from "../../services/billing/subscription.ts";
import { getUsage, type Usage, UsageQuery } from "../../services/billing/usage.ts";
import type { Runtime } from "../../services/runtime.ts";
import { defineRoute, Time, time, timeOrNull } from "../http/route.ts";

const limit = z.int().nullable();
const LimitsBody = z
  .object({ connect: limit, active_domain: limit, cert: limit, api_call: limit })
  .meta({ id: "Limits", description: "Null is no limit" });

const PlanBody = z
  .object({
    id: z.string(),
    name: z.string(),
    limits: LimitsBody,
    price_cents: z.int(),
    currency: z.string().describe("ISO 4217, in lower case"),
  })
  .meta({ id: "Plan" });

function planBody(plan: Plan): z.input<typeof PlanBody> {
  return {
    id: plan.id,
    name: plan.name,
    limits: { ...plan.limits },
    price_cents: plan.price_cents,
    currency,
  };
}

const UsageBody = z
  .object({
    period: z.object({ start: Time, end: Time }),
    plan: z.string(),
    counters: z.object({
      connect: z.int(),
      active_domain: z.int(),
      cert: z.int(),
      api_call: z.int(),
    }),
    limits: LimitsBody,
    remaining: LimitsBody,
  })
  .meta({ id: "Usage" });

function usageBody(usage: Usage): z.input<typeof UsageBody> {
  const unlimited = { connect: null, active_domain: null, cert: null, api_call: null };
  const limits = usage.isLimited ? usage.plan.limits : unlimited;
  const left = (kind: keyof typeof unlimited, used = usage.counters[kind]): number | null => {
    const max = limits[kind];
    return max === null ? null : Math.max(0, max - used);
  };
  return {
    period: { start: time(usage.period.start), end: time(usage.period.end) },
    plan: usage.plan.id,
    counters: { ...usage.counters },
    limits: { ...limits },
    remaining: {
      connect: left("connect"),
      // The counter is the month's peak; an archived name leaves room for another.
      active_domain: left("active_domain", usage.activeNow ?? usage.counters.active_domain),
      cert: left("cert"),
      api_call: left("api_call"),
    },
  };
}

export const getUsageRoute = defineRoute({
  method: "GET",
  path: "/v1/usage",
  tag: "Usage",
  summary: "Metered counters of a month",
  scopes: ["usage:read", "connections:read"],
  role: "viewer",
  query: UsageQuery,
  output: UsageBody,
  statuses: [200],
  run: (ctx, { query }) => getUsage(ctx, query),
  reply: usageBody,
});

export const listPlansRoute = defineRoute({
  method: "GET",
  path: "/v1/plans",
  tag: "Usage",
  summary: "The plans on offer",
  scopes: [],
  role: "viewer",
  output: z.object({ data: z.array(PlanBody) }),
  statuses: [200],
  run: async (ctx) => ctx.runtime.plans,
  reply: (plans) => ({ data: plans.map(planBody) }),
});

const SubscriptionBody = z
  .object({
    plan: z.string().describe("The plan in effect"),
    status: z.enum(["none", ...subscriptionStatuses]),
    current_period_end: Time.nullable(),
  })
  .meta({ id: "Subscription" });

function subscriptionBody(view: SubscriptionView): z.input<typeof SubscriptionBody> {
  return {
    plan: view.plan,
    status: view.status,
    current_period_end: timeOrNull(view.currentPeriodEnd),
  };
}

const CheckoutBody = z
  .object({
    id: z.string().describe("The checkout's id at the billing provider"),
    status: z.literal("incomplete"),
    plan: z.string(),
    checkout_url: z.string().meta({ format: "uri" }),
  })
  .meta({ id: "Checkout" });

function checkoutBody(checkout: StartedCheckout): z.input<typeof CheckoutBody> {
  return {
    id: checkout.id,
    status: "incomplete",
    plan: checkout.plan,
    checkout_url: checkout.checkoutUrl,
  };
}

export const getSubscriptionRoute = defineRoute({
  method: "GET",
  path: "/v1/subscription",
  tag: "Usage",
  summary: "The tenant's subscription",
  description: "It belongs to the tenant: keys of both environments see the same one.",
  scopes: ["apps:admin", "usage:read"],
  role: "viewer",
  output: SubscriptionBody,
  statuses: [200],
  run: (ctx) => getSubscription(ctx),
  reply: subscriptionBody,
});

export const createSubscriptionRoute = defineRoute({
  method: "POST",
  path: "/v1/subscriptions",
  tag: "Usage",
  summary: "Open a checkout for a plan",
  description:
    "The plan changes when the checkout is completed; a subscription to another plan is then ended and its rest credited. Subscriptions belong to the tenant, so keys of both environments may open one; whether money moves is decided by the operator's billing account.",
  scopes: ["apps:admin"],
  role: "owner",
  idempotent: true,
  errors: ["conflict", "billing_unavailable", "provider_error"],
  // Above the billing client's own limit, so that its slowness is reported as `provider_error`.
  timeoutMs: 10_000,
  body: Subscribe,
  output: CheckoutBody,
  statuses: [201],
  run: (ctx, { body }) => subscribe(ctx, body),
  reply: checkoutBody,
});

const maxBytes = 262_144;

/**
 * `POST /billing/stripe`: Stripe's events, authenticated by their signature alone. It covers the
 * raw bytes, so in this scope, and nowhere else, a body is not parsed.
 */
export function mountBillingWebhook(app: FastifyInstance, runtime: Runtime): void {
  void app.register((scope, _options, mounted) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, bytes, done) =>
      done(null, bytes),
    );
    scope.setErrorHandler((error) => {
      throw isTooLarge(error)
        ? new AppError("payload_too_large", "the request body is over 262,144 bytes")
        : error;
    });
    scope.post("/billing/stripe", { bodyLimit: maxBytes }, async (request) => {
      const signature = request.headers["stripe-signature"];
      await receiveStripeEvent(runtime, {
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        signature: typeof signature === "string" ? signature : "",
      });
      return { received: true };
    });
    mounted();
  });
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "FST_ERR_CTP_BODY_TOO_LARGE";
}
