import { type Selectable, sql } from "kysely";
import type { Subscription } from "../../../domain/billing/subscription.ts";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { Tables } from "../../tables.ts";

const columns = [
  "plan",
  "status",
  "stripe_customer",
  "stripe_subscription",
  "current_period_end",
  "last_event_at",
] as const;

type SubscriptionRow = Pick<Selectable<Tables["subscriptions"]>, (typeof columns)[number]>;

/** The subscription of the transaction's tenant; null when it never had one. */
export async function selectSubscription(tx: Tx, tenantId: string): Promise<Subscription | null> {
  const row = await tx
    .selectFrom("subscriptions")
    .select(columns)
    .where("tenant_id", "=", tenantId)
    .executeTakeFirst();
  return row ? toSubscription(row) : null;
}

/**
 * The subscription, begun as `incomplete` when there is none, and locked until the transaction
 * ends: of events that come at the same time one waits for the other.
 */
export async function lockSubscription(
  tx: Tx,
  tenantId: string,
  begin: { readonly plan: string; readonly at: Date },
): Promise<Subscription> {
  await tx
    .insertInto("subscriptions")
    .values({
      tenant_id: tenantId,
      plan: begin.plan,
      status: "incomplete",
      stripe_customer: null,
      stripe_subscription: null,
      current_period_end: null,
      last_event_at: null,
      created_at: begin.at,
    })
    .onConflict((conflict) => conflict.column("tenant_id").doNothing())
    .execute();
  const row = await tx
    .selectFrom("subscriptions")
    .select(columns)
    .where("tenant_id", "=", tenantId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return toSubscription(row);
}

export async function updateSubscription(
  tx: Tx,
  tenantId: string,
  subscription: Subscription,
): Promise<void> {
  await tx
    .updateTable("subscriptions")
    .set({
      plan: subscription.plan,
      status: subscription.status,
      stripe_customer: subscription.customer,
      stripe_subscription: subscription.stripeId,
      current_period_end: subscription.currentPeriodEnd,
      last_event_at: subscription.lastEventAt,
    })
    .where("tenant_id", "=", tenantId)
    .execute();
}

/** Moves the plan of the transaction's own tenant. */
export async function setOwnPlan(tx: Tx, plan: string): Promise<void> {
  await sql`select set_own_plan(${plan})`.execute(tx);
}

/** Whose Stripe subscription this is, before any tenant is known; null when it is none of ours. */
export async function findSubscriptionTenant(
  database: Database,
  stripeId: string,
): Promise<string | null> {
  const rows = await database.prepared<{ tenant: string | null }>(
    {
      name: "find_subscription_tenant",
      text: "select find_subscription_tenant($1) as tenant",
    },
    [stripeId],
  );
  return rows[0]?.tenant ?? null;
}

function toSubscription(row: SubscriptionRow): Subscription {
  return {
    plan: row.plan,
    status: row.status,
    customer: row.stripe_customer,
    stripeId: row.stripe_subscription,
    currentPeriodEnd: row.current_period_end,
    lastEventAt: row.last_event_at,
  };
}
