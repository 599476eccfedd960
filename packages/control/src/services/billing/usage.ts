import { z } from "zod";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  type Counters,
  insertCause,
  insertCauses,
  raiseCounter,
  selectCounters,
  takeFromQuota,
} from "../../db/queries/billing/usage.ts";
import { selectHeld } from "../../db/queries/connections/claims.ts";
import { selectTenant } from "../../db/queries/operator/tenants.ts";
import {
  calendarMonth,
  type Period,
  type Plan,
  parseMonth,
  periodKey,
} from "../../domain/billing/plan.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import type { ServiceContext } from "../context.ts";
import type { Runtime } from "../runtime.ts";

export const UsageQuery = z.strictObject({
  period: z.string().optional().describe("A month as YYYY-MM; by default the current one (UTC)"),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

export interface Usage {
  readonly period: Period;
  readonly plan: Plan;
  readonly counters: Counters;
  /** Whether the plan's limits apply; the test environment has none. */
  readonly isLimited: boolean;
  /** Names that count now; null for another month. */
  readonly activeNow: number | null;
}

export async function getUsage(ctx: ServiceContext, query: UsageQuery): Promise<Usage> {
  const period = query.period === undefined ? calendarMonth(ctx.now()) : parseMonth(query.period);
  if (!period) throw invalid([{ path: "period", message: "expected a month like 2026-11" }]);
  const isCurrent = period.start.getTime() === calendarMonth(ctx.now()).start.getTime();
  return ctx.read(async (tx) => {
    const counters = await selectCounters(tx, periodKey(period));
    // Hostnames claimed before the month began count for its peak without a new claim.
    const held = isCurrent ? await selectHeld(tx) : 0;
    return {
      period,
      plan: await findPlan(ctx.runtime, tx, ctx.actor.tenantId),
      counters: { ...counters, active_domain: Math.max(counters.active_domain, held) },
      isLimited: ctx.actor.environment === "live",
      activeNow: isCurrent ? held : null,
    };
  });
}

/**
 * The tenant's plan. A plan that is no longer listed counts as unlimited: never lock a payer out.
 */
export async function findPlan(runtime: Runtime, tx: Tx, tenantId: string): Promise<Plan> {
  const id = (await selectTenant(tx, tenantId))?.plan ?? runtime.config.defaultPlan;
  const plan = runtime.plans.find((one) => one.id === id);
  const unlimited = { connect: null, active_domain: null, cert: null, api_call: null };
  return plan ?? { id, name: id, limits: unlimited, price_cents: 0 };
}

/**
 * Counts one use, once per cause, or throws `QuotaExceeded`. Runs in the transaction of the use, so
 * that both commit or neither. The test environment is counted and never limited.
 */
export async function takeQuota(
  runtime: Runtime,
  tx: Tx,
  scope: TenantScope,
  use: { readonly kind: "connect" | "cert"; readonly cause: string },
): Promise<void> {
  const at = runtime.clock.now();
  if (!(await insertCause(tx, scope, { kind: use.kind, id: use.cause, at }))) return;
  const plan = await findPlan(runtime, tx, scope.tenantId);
  const limit = scope.environment === "live" ? plan.limits[use.kind] : null;
  const period = periodKey(calendarMonth(at));
  if (await takeFromQuota(tx, scope, { period, kind: use.kind, limit })) return;
  const upgrade_url = runtime.config.upgradeUrl;
  const things = use.kind === "cert" ? "certificates" : "connects";
  throw new AppError("QuotaExceeded", `the ${plan.name} plan allows ${limit} ${things} a month`, {
    details: { limit, plan: plan.id, upgrade_url },
    topLevel: { upgrade_url },
  });
}

/**
 * Counts new connections at once. False when the plan does not allow all of them: none is counted
 * then.
 */
export async function takeConnects(
  runtime: Runtime,
  tx: Tx,
  scope: TenantScope,
  ids: readonly string[],
): Promise<boolean> {
  if (ids.length === 0) return true;
  const at = runtime.clock.now();
  const plan = await findPlan(runtime, tx, scope.tenantId);
  const limit = scope.environment === "live" ? plan.limits.connect : null;
  await insertCauses(tx, scope, { kind: "connect", ids, at });
  const period = periodKey(calendarMonth(at));
  return takeFromQuota(tx, scope, { period, kind: "connect", limit, amount: ids.length });
}

/** Counts an issued certificate once. No limit applies: it has been issued. */
export async function countCertificate(
  tx: Tx,
  scope: TenantScope,
  issueId: string,
  now: Date,
): Promise<void> {
  if (!(await insertCause(tx, scope, { kind: "cert", id: issueId, at: now }))) return;
  await takeFromQuota(tx, scope, {
    period: periodKey(calendarMonth(now)),
    kind: "cert",
    limit: null,
  });
}

/**
 * `active_domain` is the month's peak of hostnames claimed at once; raised when a claim is taken.
 */
export async function raisePeak(
  tx: Tx,
  scope: TenantScope,
  claims: { readonly held: number; readonly now: Date },
): Promise<void> {
  const period = periodKey(calendarMonth(claims.now));
  await raiseCounter(tx, scope, { period, kind: "active_domain", amount: claims.held });
}
