import { z } from "zod";
import {
  lockSubscription,
  selectSubscription,
  updateSubscription,
} from "../../db/queries/billing/subscriptions.ts";
import type { Plan } from "../../domain/billing/plan.ts";
import {
  isPaid,
  type Subscription,
  type SubscriptionStatus,
} from "../../domain/billing/subscription.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { audit, type ServiceContext } from "../context.ts";
import { requireStripe } from "./stripe.ts";
import { findPlan } from "./usage.ts";

export const Subscribe = z.strictObject({
  plan: z.string().min(1).max(64).describe("The id of a plan with a price, from GET /v1/plans"),
});
export type Subscribe = z.infer<typeof Subscribe>;

export interface StartedCheckout {
  readonly id: string;
  readonly plan: string;
  readonly checkoutUrl: string;
}

/**
 * Opens a checkout for a plan. Nothing changes for the tenant until Stripe reports it as completed;
 * until then, a plan that it pays for stays in force.
 */
export async function subscribe(ctx: ServiceContext, input: Subscribe): Promise<StartedCheckout> {
  const { runtime, actor } = ctx;
  const stripe = requireStripe(runtime);
  const plan = requireSoldPlan(runtime.plans, input.plan);
  const before = await ctx.read((tx) => selectSubscription(tx, actor.tenantId));
  refuseSecond(before, plan);
  const order = {
    tenantId: actor.tenantId,
    plan,
    customer: before?.customer ?? null,
    returnUrl: runtime.config.upgradeUrl,
    occasion: occasion(before, ctx.now()),
  };
  const checkout = await stripe.createCheckout(order, ctx.signal);
  return ctx.write(async (tx) => {
    const current = await lockSubscription(tx, actor.tenantId, { plan: plan.id, at: ctx.now() });
    refuseSecond(current, plan);
    if (!isPaid(current)) {
      const begun = { plan: plan.id, status: "incomplete", currentPeriodEnd: null } as const;
      await updateSubscription(tx, actor.tenantId, { ...current, ...begun });
    }
    await audit(ctx, tx, "subscription.checkout", actor.tenantId, { plan: plan.id });
    return { id: checkout.id, plan: plan.id, checkoutUrl: checkout.url };
  });
}

/** Only plans with a price are for sale: a tenant cannot give itself another one. */
function requireSoldPlan(plans: readonly Plan[], id: string): Plan {
  const sold = plans.filter((plan) => plan.price_cents > 0);
  const plan = sold.find((one) => one.id === id);
  if (!plan) {
    const ids = sold.map((one) => one.id).join(", ");
    throw invalid([{ path: "plan", message: `is not a plan to subscribe to; there are: ${ids}` }]);
  }
  return plan;
}

function refuseSecond(current: Subscription | null, plan: Plan): void {
  if (current && isPaid(current) && current.plan === plan.id) {
    throw new AppError("conflict", `there is a subscription to ${plan.name} already`, {
      details: { plan: plan.id, status: current.status },
    });
  }
}

/**
 * Equal for requests that mean the same checkout: within a minute, with no event in between. Not
 * longer, because Stripe repeats its reply to a repeated key, failures included.
 */
function occasion(before: Subscription | null, now: Date): string {
  const minute = Math.floor(now.getTime() / 60_000);
  return JSON.stringify([minute, before?.stripeId ?? null, before?.lastEventAt ?? null]);
}

export interface SubscriptionView {
  /** The plan in force, set by Stripe or by the operator; an open checkout has not changed it. */
  readonly plan: string;
  readonly status: SubscriptionStatus | "none";
  readonly currentPeriodEnd: Date | null;
}

export function getSubscription(ctx: ServiceContext): Promise<SubscriptionView> {
  const { tenantId } = ctx.actor;
  return ctx.read(async (tx) => {
    const plan = await findPlan(ctx.runtime, tx, tenantId);
    const subscription = await selectSubscription(tx, tenantId);
    return {
      plan: plan.id,
      status: subscription?.status ?? "none",
      currentPeriodEnd: subscription?.currentPeriodEnd ?? null,
    };
  });
}
