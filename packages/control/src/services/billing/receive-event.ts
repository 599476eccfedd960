import { z } from "zod";
import type { Tx } from "../../db/engine/transaction.ts";
import { insertAudit } from "../../db/queries/audit.ts";
import {
  findSubscriptionTenant,
  lockSubscription,
  selectSubscription,
  setOwnPlan,
  updateSubscription,
} from "../../db/queries/subscriptions.ts";
import { selectTenant } from "../../db/queries/tenants.ts";
import { invalid } from "../../domain/errors.ts";
import {
  nextSubscription,
  planAfter,
  replacesPaid,
  type Subscription,
  type SubscriptionNews,
  type SubscriptionStatus,
} from "../../domain/subscription.ts";
import type { Runtime } from "../runtime.ts";
import { CompletedCheckout, FailedInvoice, StripeEvent, StripeSubscription } from "./schemas.ts";
import { isSignedByStripe } from "./signature.ts";
import { billingUnavailable, requireStripe } from "./stripe.ts";

/**
 * Takes one delivery of Stripe's webhook. Throws `invalid` for what Stripe did not sign; anything
 * else that is thrown makes Stripe deliver it again. What concerns no tenant of ours is fine: the
 * Stripe account may sell other things too.
 */
export async function receiveStripeEvent(
  runtime: Runtime,
  delivery: { readonly body: Buffer; readonly signature: string },
): Promise<void> {
  const secret = runtime.config.STRIPE_WEBHOOK_SECRET;
  if (!secret || !runtime.config.STRIPE_SECRET_KEY) throw billingUnavailable();
  const { body, signature } = delivery;
  if (!isSignedByStripe(signature, body, secret, runtime.clock.now())) {
    runtime.log.warn("a delivery to the billing webhook is not signed with STRIPE_WEBHOOK_SECRET");
    throw invalid([{ path: "Stripe-Signature", message: "does not fit the body, or is too old" }]);
  }
  const event = read(StripeEvent, parse(body));
  const { object } = event.data;
  const at = new Date(event.created * 1_000);
  switch (event.type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
      return takeCheckout(runtime, read(CompletedCheckout, object), at);
    case "customer.subscription.created":
    case "customer.subscription.updated":
      return takeState(runtime, read(StripeSubscription, object), { at, isReadBack: false });
    case "customer.subscription.deleted": {
      const ended = { ...read(StripeSubscription, object), status: "canceled" };
      return takeState(runtime, ended, { at, isReadBack: false });
    }
    case "invoice.payment_failed":
      return takeFailedPayment(runtime, read(FailedInvoice, object), at);
    default:
      return;
  }
}

/**
 * The event may be late and does not tell the period, so Stripe is asked how the subscription stands.
 * Only for one that Stripe does not show under our key does the signed event count by itself.
 */
async function takeCheckout(
  runtime: Runtime,
  checkout: z.output<typeof CompletedCheckout>,
  at: Date,
): Promise<void> {
  if (checkout.mode !== "subscription" || !checkout.subscription) return;
  const { subscription: id, customer, metadata, payment_status } = checkout;
  const state = await requireStripe(runtime).readSubscription(id);
  const status = payment_status === "unpaid" ? "incomplete" : "active";
  const told = { id, customer, metadata, status, periodEnd: null };
  await takeState(runtime, state ?? told, { at, isReadBack: state !== null });
}

async function takeState(
  runtime: Runtime,
  state: StripeSubscription,
  seen: { readonly at: Date; readonly isReadBack: boolean },
): Promise<void> {
  const tenantId = state.metadata?.["tenant_id"];
  const plan = state.metadata?.["plan"];
  if (!plan || !z.uuid().safeParse(tenantId).success || tenantId === undefined) return;
  const news: SubscriptionNews = {
    plan,
    status: statusOf(state.status),
    customer: state.customer ?? null,
    stripeId: state.id,
    currentPeriodEnd: state.periodEnd === null ? null : new Date(state.periodEnd * 1_000),
    ...seen,
  };
  await endReplaced(runtime, tenantId, news);
  await change(runtime, tenantId, news, (current) => nextSubscription(current, news));
}

/**
 * Ends what the tenant paid for before, ahead of writing the new one down: were it the other way
 * round, a crash between the two would leave the tenant paying twice with nobody knowing.
 */
async function endReplaced(
  runtime: Runtime,
  tenantId: string,
  news: SubscriptionNews,
): Promise<void> {
  const current = await runtime.tenant(scopeOf(tenantId), (tx) => selectSubscription(tx, tenantId));
  if (!current?.stripeId || !replacesPaid(current, news)) return;
  await requireStripe(runtime).cancelSubscription(current.stripeId);
}

async function takeFailedPayment(
  runtime: Runtime,
  stripeId: string | null,
  at: Date,
): Promise<void> {
  const tenantId = stripeId ? await findSubscriptionTenant(runtime.database, stripeId) : null;
  if (!stripeId || !tenantId) return;
  await change(runtime, tenantId, { plan: runtime.config.DEFAULT_PLAN, at }, (current) =>
    // A first payment that fails leaves the checkout incomplete; only a payer falls behind.
    current.status === "active" && current.stripeId === stripeId
      ? nextSubscription(current, {
          ...current,
          stripeId,
          status: "past_due",
          at,
          isReadBack: false,
        })
      : null,
  );
}

/** Reads, decides and writes under one lock, with the plan and the audit line in the same step. */
async function change(
  runtime: Runtime,
  tenantId: string,
  begin: { readonly plan: string; readonly at: Date },
  decide: (current: Subscription) => Subscription | null,
): Promise<void> {
  await runtime.tenant(scopeOf(tenantId), async (tx) => {
    if (!(await selectTenant(tx, tenantId))) return;
    const before = await lockSubscription(tx, tenantId, begin);
    const after = decide(before);
    if (!after) return;
    await updateSubscription(tx, tenantId, after);
    const plan = planAfter(before, after, runtime.config.DEFAULT_PLAN);
    if (plan !== null) await setOwnPlan(tx, plan);
    if (plan !== null || after.status !== before.status) {
      await auditChange(runtime, tx, tenantId, { before, after, plan });
    }
  });
}

async function auditChange(
  runtime: Runtime,
  tx: Tx,
  tenantId: string,
  told: {
    readonly before: Subscription;
    readonly after: Subscription;
    readonly plan: string | null;
  },
): Promise<void> {
  await insertAudit(tx, {
    tenantId,
    environment: null,
    at: runtime.clock.now(),
    actor: "stripe",
    action: "subscription.update",
    subject: `subscription:${tenantId}`,
    details: { from: told.before.status, to: told.after.status, plan: told.plan },
  });
}

/** Subscriptions belong to the tenant; the tables written here know no environment. */
function scopeOf(tenantId: string) {
  return { tenantId, environment: "live" } as const;
}

/** Whether payment given up ends the subscription (`unpaid` or `canceled`) is set at Stripe. */
function statusOf(status: string): SubscriptionStatus {
  if (status === "active" || status === "trialing") return "active";
  if (status === "incomplete") return "incomplete";
  if (status === "canceled" || status === "incomplete_expired") return "canceled";
  return "past_due";
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw invalid([{ path: "", message: "the body is not valid JSON" }]);
  }
}

function read<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(
    parsed.error.issues.map((issue) => ({
      path: issue.path.map(String).join("."),
      message: issue.message,
    })),
  );
}
