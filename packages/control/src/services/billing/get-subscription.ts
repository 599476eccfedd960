import { selectSubscription } from "../../db/queries/subscriptions.ts";
import type { SubscriptionStatus } from "../../domain/subscription.ts";
import type { ServiceContext } from "../context.ts";
import { planOf } from "../usage/quota.ts";

export interface SubscriptionView {
  /** The plan in effect, whoever set it; a checkout under way has not changed it yet. */
  readonly plan: string;
  readonly status: SubscriptionStatus | "none";
  readonly currentPeriodEnd: Date | null;
}

export function getSubscription(ctx: ServiceContext): Promise<SubscriptionView> {
  const { tenantId } = ctx.actor;
  return ctx.read(async (tx) => {
    const plan = await planOf(ctx.runtime, tx, tenantId);
    const subscription = await selectSubscription(tx, tenantId);
    return {
      plan: plan.id,
      status: subscription?.status ?? "none",
      currentPeriodEnd: subscription?.currentPeriodEnd ?? null,
    };
  });
}
