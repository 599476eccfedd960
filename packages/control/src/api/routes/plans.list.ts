import { z } from "zod";
import { PlanBody, planBody } from "../replies/plan.ts";
import { defineRoute } from "../route.ts";

export const listPlansRoute = defineRoute({
  method: "GET",
  path: "/v1/plans",
  tag: "Usage",
  summary: "The plans on offer",
  scopes: [],
  output: z.object({ data: z.array(PlanBody) }),
  statuses: [200],
  run: async (ctx) => ctx.runtime.plans,
  reply: (plans) => ({ data: plans.map(planBody) }),
});
