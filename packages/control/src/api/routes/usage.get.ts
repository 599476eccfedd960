import { getUsage, UsageQuery } from "../../services/usage.ts";
import { UsageBody, usageBody } from "../replies/plan.ts";
import { defineRoute } from "../route.ts";

export const getUsageRoute = defineRoute({
  method: "GET",
  path: "/v1/usage",
  tag: "Usage",
  summary: "Metered counters of a month",
  scopes: ["usage:read", "connections:read"],
  query: UsageQuery,
  output: UsageBody,
  statuses: [200],
  run: (ctx, { query }) => getUsage(ctx, query),
  reply: usageBody,
});
