import { Subscribe, subscribe } from "../../services/billing/subscription.ts";
import { CheckoutBody, checkoutBody } from "../replies/subscription.ts";
import { defineRoute } from "../route.ts";

export const createSubscriptionRoute = defineRoute({
  method: "POST",
  path: "/v1/subscriptions",
  tag: "Usage",
  summary: "Open a checkout for a plan",
  description:
    "The plan changes when the checkout is completed; a subscription to another plan is then ended and its rest credited. Subscriptions belong to the tenant, so keys of both environments may open one; whether money moves is decided by the operator's billing account.",
  scopes: ["apps:admin"],
  idempotent: true,
  errors: ["conflict", "billing_unavailable", "provider_error"],
  // Above the billing client's own limit, so that its slowness is told as `provider_error`.
  timeoutMs: 10_000,
  body: Subscribe,
  output: CheckoutBody,
  statuses: [201],
  run: (ctx, { body }) => subscribe(ctx, body),
  reply: checkoutBody,
});
