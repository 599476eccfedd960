import { z } from "zod";
import type { Plan } from "../../domain/plan.ts";
import type { Usage } from "../../services/usage.ts";
import { Time, time } from "./time.ts";

const limit = z.int().nullable();
const LimitsBody = z
  .object({ connect: limit, active_domain: limit, cert: limit, api_call: limit })
  .meta({ id: "Limits", description: "Null is no limit" });

export const PlanBody = z
  .object({ id: z.string(), name: z.string(), limits: LimitsBody, price_cents: z.int() })
  .meta({ id: "Plan" });

export function planBody(plan: Plan): z.input<typeof PlanBody> {
  return {
    id: plan.id,
    name: plan.name,
    limits: { ...plan.limits },
    price_cents: plan.price_cents,
  };
}

export const UsageBody = z
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

export function usageBody(usage: Usage): z.input<typeof UsageBody> {
  const unlimited = { connect: null, active_domain: null, cert: null, api_call: null };
  const limits = usage.isLimited ? usage.plan.limits : unlimited;
  const left = (kind: keyof typeof unlimited): number | null => {
    const max = limits[kind];
    return max === null ? null : Math.max(0, max - usage.counters[kind]);
  };
  return {
    period: { start: time(usage.period.start), end: time(usage.period.end) },
    plan: usage.plan.id,
    counters: { ...usage.counters },
    limits: { ...limits },
    remaining: {
      connect: left("connect"),
      active_domain: left("active_domain"),
      cert: left("cert"),
      api_call: left("api_call"),
    },
  };
}
