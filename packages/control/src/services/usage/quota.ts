import type { Tx } from "../../db/engine/transaction.ts";
import { selectTenant } from "../../db/queries/tenants.ts";
import { insertCause, takeFromQuota } from "../../db/queries/usage.ts";
import { AppError } from "../../domain/errors.ts";
import { monthOf, type Plan, periodKey } from "../../domain/plan.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import type { Runtime } from "../runtime.ts";

/** The plan a tenant is on. One that has left the list counts as unlimited: never lock a payer out. */
export async function planOf(runtime: Runtime, tx: Tx, tenantId: string): Promise<Plan> {
  const id = (await selectTenant(tx, tenantId))?.plan ?? runtime.config.defaultPlan;
  const plan = runtime.plans.find((one) => one.id === id);
  const unlimited = { connect: null, active_domain: null, cert: null, api_call: null };
  return plan ?? { id, name: id, limits: unlimited, price_cents: 0 };
}

/**
 * Counts one use for its cause, or throws `QuotaExceeded`. In the transaction of what it pays for,
 * so that neither stands without the other. The test environment is counted and never limited.
 */
export async function takeQuota(
  runtime: Runtime,
  tx: Tx,
  scope: TenantScope,
  use: { readonly kind: "connect" | "cert"; readonly cause: string },
): Promise<void> {
  const at = runtime.clock.now();
  if (!(await insertCause(tx, scope, { kind: use.kind, id: use.cause, at }))) return;
  const plan = await planOf(runtime, tx, scope.tenantId);
  const limit = scope.environment === "live" ? plan.limits[use.kind] : null;
  const period = periodKey(monthOf(at));
  if (await takeFromQuota(tx, scope, { period, kind: use.kind, limit })) return;
  const upgrade_url = runtime.config.upgradeUrl;
  const things = use.kind === "cert" ? "certificates" : "connects";
  throw new AppError("QuotaExceeded", `the ${plan.name} plan allows ${limit} ${things} a month`, {
    details: { limit, plan: plan.id, upgrade_url },
    topLevel: { upgrade_url },
  });
}
