import { getSubscription } from "../../services/billing/subscription.ts";
import { SubscriptionBody, subscriptionBody } from "../replies/subscription.ts";
import { defineRoute } from "../route.ts";

export const getSubscriptionRoute = defineRoute({
  method: "GET",
  path: "/v1/subscription",
  tag: "Usage",
  summary: "The tenant's subscription",
  description: "It belongs to the tenant: keys of both environments see the same one.",
  scopes: ["apps:admin", "usage:read"],
  output: SubscriptionBody,
  statuses: [200],
  run: (ctx) => getSubscription(ctx),
  reply: subscriptionBody,
});
