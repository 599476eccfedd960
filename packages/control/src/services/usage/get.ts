import { z } from "zod";
import { selectHeld } from "../../db/queries/claims.ts";
import { type Counters, selectCounters } from "../../db/queries/usage.ts";
import { invalid } from "../../domain/errors.ts";
import { monthOf, type Period, type Plan, parseMonth, periodKey } from "../../domain/plan.ts";
import type { ServiceContext } from "../context.ts";
import { planOf } from "./quota.ts";

export const UsageQuery = z.strictObject({
  period: z.string().optional().describe("A month as YYYY-MM; by default the current one (UTC)"),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

export interface Usage {
  readonly period: Period;
  readonly plan: Plan;
  readonly counters: Counters;
  /** Whether the plan's limits hold here; the test environment has none. */
  readonly isLimited: boolean;
}

export async function getUsage(ctx: ServiceContext, query: UsageQuery): Promise<Usage> {
  const period = query.period === undefined ? monthOf(ctx.now()) : parseMonth(query.period);
  if (!period) throw invalid([{ path: "period", message: "expected a month like 2026-11" }]);
  const isCurrent = period.start.getTime() === monthOf(ctx.now()).start.getTime();
  return ctx.read(async (tx) => {
    const counters = await selectCounters(tx, periodKey(period));
    // Names held since before the month began raise its peak without a new claim.
    const held = isCurrent ? await selectHeld(tx) : 0;
    return {
      period,
      plan: await planOf(ctx.runtime, tx, ctx.actor.tenantId),
      counters: { ...counters, active_domain: Math.max(counters.active_domain, held) },
      isLimited: ctx.actor.environment === "live",
    };
  });
}
