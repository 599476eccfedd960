/** A tenant has at most one subscription; events of Stripe change it. */
export const subscriptionStatuses = ["incomplete", "active", "past_due", "canceled"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export interface Subscription {
  readonly plan: string;
  readonly status: SubscriptionStatus;
  readonly customer: string | null;
  readonly stripeId: string | null;
  readonly currentPeriodEnd: Date | null;
  /** Time of the last event that was applied; Stripe delivers in any order, and more than once. */
  readonly lastEventAt: Date | null;
}

/** What an event of Stripe reports about a subscription. */
export interface SubscriptionUpdate {
  readonly plan: string;
  readonly status: SubscriptionStatus;
  readonly customer: string | null;
  readonly stripeId: string;
  readonly currentPeriodEnd: Date | null;
  readonly at: Date;
  /** The state was read from Stripe after a completed checkout, so it is current. */
  readonly isReadBack: boolean;
}

/** Event times have a resolution of a second; within one, the rank of the status may only rise. */
const rank: Readonly<Record<SubscriptionStatus, number>> = {
  incomplete: 0,
  active: 1,
  past_due: 1,
  canceled: 2,
};

/** The subscription after the update, or null when the update is outdated or does not apply. */
export function nextSubscription(
  current: Subscription,
  update: SubscriptionUpdate,
): Subscription | null {
  const isOther = current.stripeId !== null && current.stripeId !== update.stripeId;
  const counts = isOther ? mayReplace(current, update) : isFresh(current, update);
  if (!counts) return null;
  return {
    plan: update.plan,
    status: update.status,
    customer: update.customer ?? current.customer,
    stripeId: update.stripeId,
    currentPeriodEnd: update.currentPeriodEnd ?? (isOther ? null : current.currentPeriodEnd),
    lastEventAt: update.at,
  };
}

/** Whether the update replaces another subscription that the tenant is paying for. */
export function replacesPaid(current: Subscription, update: SubscriptionUpdate): boolean {
  return (
    current.stripeId !== null &&
    current.stripeId !== update.stripeId &&
    isPaid(current) &&
    mayReplace(current, update)
  );
}

/** The tenant's new plan, or null to leave it: an operator may have set another one meanwhile. */
export function planAfter(
  before: Subscription,
  after: Subscription,
  defaultPlan: string,
): string | null {
  if (after.status === "active") {
    const isSame = isPaid(before) && before.plan === after.plan;
    return isSame ? null : after.plan;
  }
  // An abandoned checkout never gave a plan, so its end takes none away.
  return after.status === "canceled" && isPaid(before) ? defaultPlan : null;
}

/** A late payment does not end a subscription: the plan stays until Stripe ends it. */
export function isPaid(subscription: Subscription): boolean {
  return subscription.status === "active" || subscription.status === "past_due";
}

function isFresh(current: Subscription, update: SubscriptionUpdate): boolean {
  if (current.lastEventAt === null) return true;
  const later = update.at.getTime() - current.lastEventAt.getTime();
  return later === 0 ? rank[update.status] >= rank[current.status] : later > 0;
}

/**
 * The update is of another subscription than the stored one. A paid subscription is replaced only
 * by a completed checkout that is still active: any other event could bring an old subscription
 * back.
 */
function mayReplace(current: Subscription, update: SubscriptionUpdate): boolean {
  if (isPaid(current)) return update.isReadBack && update.status === "active";
  if (update.status === "canceled") return false;
  return (
    update.isReadBack ||
    current.lastEventAt === null ||
    update.at.getTime() >= current.lastEventAt.getTime()
  );
}
