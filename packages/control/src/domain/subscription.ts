/** A tenant's one subscription, and how what Stripe says of it moves it. */
export const subscriptionStatuses = ["incomplete", "active", "past_due", "canceled"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export interface Subscription {
  readonly plan: string;
  readonly status: SubscriptionStatus;
  readonly customer: string | null;
  readonly stripeId: string | null;
  readonly currentPeriodEnd: Date | null;
  /** When the last event that counted was made; Stripe delivers in any order, and more than once. */
  readonly lastEventAt: Date | null;
}

export interface SubscriptionNews {
  readonly plan: string;
  readonly status: SubscriptionStatus;
  readonly customer: string | null;
  readonly stripeId: string;
  readonly currentPeriodEnd: Date | null;
  readonly at: Date;
  /** A checkout was completed and the state was read back from Stripe after it: true right now. */
  readonly isReadBack: boolean;
}

/** Within one second, the grain of event times, a subscription only goes up this ladder. */
const ladder: Readonly<Record<SubscriptionStatus, number>> = {
  incomplete: 0,
  active: 1,
  past_due: 1,
  canceled: 2,
};

/** The subscription after the news, or null when they are old, or of one that does not count. */
export function nextSubscription(
  current: Subscription,
  news: SubscriptionNews,
): Subscription | null {
  const isOther = current.stripeId !== null && current.stripeId !== news.stripeId;
  const counts = isOther ? mayReplace(current, news) : isFresh(current, news);
  if (!counts) return null;
  return {
    plan: news.plan,
    status: news.status,
    customer: news.customer ?? current.customer,
    stripeId: news.stripeId,
    currentPeriodEnd: news.currentPeriodEnd ?? (isOther ? null : current.currentPeriodEnd),
    lastEventAt: news.at,
  };
}

/** Whether the tenant is paying for another subscription that these news are to take the place of. */
export function replacesPaid(current: Subscription, news: SubscriptionNews): boolean {
  return (
    current.stripeId !== null &&
    current.stripeId !== news.stripeId &&
    isPaid(current) &&
    mayReplace(current, news)
  );
}

/** The plan the tenant moves to, or null to leave it: an operator may have set another meanwhile. */
export function planAfter(
  before: Subscription,
  after: Subscription,
  defaultPlan: string,
): string | null {
  if (after.status === "active") {
    const isSame = isPaid(before) && before.plan === after.plan;
    return isSame ? null : after.plan;
  }
  // A checkout that was given up has never given a plan, so its end takes none.
  return after.status === "canceled" && isPaid(before) ? defaultPlan : null;
}

/** Late payment is still a subscription: the plan stays until Stripe ends it. */
export function isPaid(subscription: Subscription): boolean {
  return subscription.status === "active" || subscription.status === "past_due";
}

function isFresh(current: Subscription, news: SubscriptionNews): boolean {
  if (current.lastEventAt === null) return true;
  const later = news.at.getTime() - current.lastEventAt.getTime();
  return later === 0 ? ladder[news.status] >= ladder[current.status] : later > 0;
}

/**
 * Another subscription than the known one. A paid one yields only to a checkout that was completed
 * and still stands: any other event of it would let an old subscription take the place back.
 */
function mayReplace(current: Subscription, news: SubscriptionNews): boolean {
  if (isPaid(current)) return news.isReadBack && news.status === "active";
  if (news.status === "canceled") return false;
  return (
    news.isReadBack ||
    current.lastEventAt === null ||
    news.at.getTime() >= current.lastEventAt.getTime()
  );
}
