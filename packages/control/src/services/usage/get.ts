import { z } from "zod";
import { type Counters, selectCounters } from "../../db/usage.ts";
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
  return ctx.read(async (tx) => ({
    period,
    plan: await planOf(ctx.runtime, tx, ctx.actor.tenantId),
    counters: await selectCounters(tx, periodKey(period)),
    isLimited: ctx.actor.environment === "live",
  }));
}
