import { z } from "zod";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  findSubscriptionTenant,
  lockSubscription,
  selectSubscription,
  setOwnPlan,
  updateSubscription,
} from "../../db/queries/billing/subscriptions.ts";
import { insertAudit } from "../../db/queries/operator/audit.ts";
import { selectTenant } from "../../db/queries/operator/tenants.ts";
import {
  nextSubscription,
  planAfter,
  replacesPaid,
  type Subscription,
  type SubscriptionStatus,
  type SubscriptionUpdate,
} from "../../domain/billing/subscription.ts";
import { invalid } from "../../domain/errors.ts";
import type { Runtime } from "../runtime.ts";
import {
  billingUnavailable,
  CompletedCheckout,
  FailedInvoice,
  isSignedByStripe,
  requireStripe,
  StripeEvent,
  StripeSubscription,
} from "./stripe.ts";

/**
 * Handles one delivery of Stripe's webhook. Throws `invalid` for a delivery without Stripe's
 * signature; any other error makes Stripe deliver again. Events that concern no tenant are ignored:
 * the Stripe account may sell other things too.
 */
export async function receiveStripeEvent(
  runtime: Runtime,
  delivery: { readonly body: Buffer; readonly signature: string },
): Promise<void> {
  const secret = runtime.config.stripeWebhookSecret;
  if (!secret || !runtime.config.stripeSecretKey) throw billingUnavailable();
  const { body, signature } = delivery;
  if (!isSignedByStripe(signature, body, secret, runtime.clock.now())) {
    runtime.log.warn("billing webhook refused, not signed with STRIPE_WEBHOOK_SECRET");
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
 * The event may be late and does not contain the period, so the subscription is read from Stripe.
 * When our key cannot read it, the signed event counts by itself.
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
  const fromEvent = { id, customer, metadata, status, periodEnd: null };
  await takeState(runtime, state ?? fromEvent, { at, isReadBack: state !== null });
}

async function takeState(
  runtime: Runtime,
  state: StripeSubscription,
  source: { readonly at: Date; readonly isReadBack: boolean },
): Promise<void> {
  const tenantId = state.metadata?.["tenant_id"];
  const plan = state.metadata?.["plan"];
  if (!plan || !z.uuid().safeParse(tenantId).success || tenantId === undefined) return;
  const update: SubscriptionUpdate = {
    plan,
    status: toStatus(state.status),
    customer: state.customer ?? null,
    stripeId: state.id,
    currentPeriodEnd: state.periodEnd === null ? null : new Date(state.periodEnd * 1_000),
    ...source,
  };
  await endReplaced(runtime, tenantId, update);
  await change(runtime, tenantId, update, (current) => nextSubscription(current, update));
}

/**
 * Cancels the subscription that the new one replaces, before the new one is stored: in the other
 * order a crash in between would leave the tenant paying for both, unnoticed.
 */
async function endReplaced(
  runtime: Runtime,
  tenantId: string,
  update: SubscriptionUpdate,
): Promise<void> {
  const current = await runtime.tenant(liveScope(tenantId), (tx) =>
    selectSubscription(tx, tenantId),
  );
  if (!current?.stripeId || !replacesPaid(current, update)) return;
  await requireStripe(runtime).cancelSubscription(current.stripeId);
}

async function takeFailedPayment(
  runtime: Runtime,
  stripeId: string | null,
  at: Date,
): Promise<void> {
  const tenantId = stripeId ? await findSubscriptionTenant(runtime.database, stripeId) : null;
  if (!stripeId || !tenantId) return;
  await change(runtime, tenantId, { plan: runtime.config.defaultPlan, at }, (current) =>
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

/**
 * Reads, decides and writes under one lock, with the plan and the audit row in the same
 * transaction.
 */
async function change(
  runtime: Runtime,
  tenantId: string,
  begin: { readonly plan: string; readonly at: Date },
  decide: (current: Subscription) => Subscription | null,
): Promise<void> {
  await runtime.tenant(liveScope(tenantId), async (tx) => {
    if (!(await selectTenant(tx, tenantId))) return;
    const before = await lockSubscription(tx, tenantId, begin);
    const after = decide(before);
    if (!after) return;
    await updateSubscription(tx, tenantId, after);
    const plan = planAfter(before, after, runtime.config.defaultPlan);
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
  change: {
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
    details: { from: change.before.status, to: change.after.status, plan: change.plan },
  });
}

/** Subscriptions belong to the tenant; the tables written here have no environment. */
function liveScope(tenantId: string) {
  return { tenantId, environment: "live" } as const;
}

/**
 * Whether a payment that keeps failing ends the subscription is a setting at Stripe (`unpaid` or
 * `canceled`).
 */
function toStatus(status: string): SubscriptionStatus {
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
