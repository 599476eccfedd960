import assert from "node:assert/strict";
import type { NewTenant } from "../../../control/src/services/operator/tenants.ts";
import { startTestApp, type TestApp } from "./app.ts";
import { type Answer, call, textOf } from "./http.ts";
import {
  type SimulatedSubscription,
  type StripeSimulator,
  startStripeSimulator,
  stripeDelivery,
} from "./stripe-simulator.ts";

export const periodEnd = new Date("2027-01-01T00:00:00.000Z");

/** An API that sells plans through a simulated Stripe, and the steps of its tests. */
export interface BillingApp {
  readonly app: TestApp;
  readonly stripe: StripeSimulator;
  order(key: string, plan: string, headers?: Record<string, string>): Promise<Answer>;
  /** GET /v1/subscription. */
  read(key: string): Promise<Record<string, unknown>>;
  /** The plan and its connect limit, as GET /v1/usage shows them. */
  readLimit(key: string): Promise<unknown[]>;
  post(body: string, signature: string | null): Promise<Response>;
  /** Delivers an event created at `at` (by default now), signed now; it must be accepted. */
  deliver(type: string, object: object, at?: Date): Promise<void>;
  /** Delivers that the checkout of this subscription was completed. */
  checkedOut(subscription: SimulatedSubscription, at?: Date): Promise<void>;
  /** Orders, pays and delivers the completed checkout. */
  subscribed(tenant: NewTenant, plan: string, at?: Date): Promise<SimulatedSubscription>;
  close(): Promise<void>;
}

export async function startBillingApp(): Promise<BillingApp> {
  const stripe = await startStripeSimulator();
  const app = await startTestApp({ ...stripe.env, DEFAULT_PLAN: "free" });
  const { url } = app.api;
  const order: BillingApp["order"] = (key, plan, headers = {}) =>
    call(url, "/v1/subscriptions", { key, body: { plan }, headers });
  const post: BillingApp["post"] = (body, signature) =>
    fetch(`${url}/billing/stripe`, {
      method: "POST",
      headers: {
        "content-type": "application/json; charset=utf-8",
        ...(signature === null ? {} : { "stripe-signature": signature }),
      },
      body,
    });
  const deliver: BillingApp["deliver"] = async (type, object, at = app.clock.now()) => {
    const { body, signature } = stripeDelivery({ type, object, at }, { at: app.clock.now() });
    const response = await post(body, signature);
    assert.deepEqual([response.status, await response.json()], [200, { received: true }]);
  };
  const checkedOut: BillingApp["checkedOut"] = (subscription, at) =>
    deliver(
      "checkout.session.completed",
      { mode: "subscription", subscription: subscription.id },
      at,
    );
  return {
    app,
    stripe,
    order,
    read: async (key) => (await call(url, "/v1/subscription", { key })).json(),
    async readLimit(key) {
      const usage = (await call(url, "/v1/usage", { key })).json();
      const { connect } = usage["limits"] as { connect: unknown };
      return [usage["plan"], connect];
    },
    post,
    deliver,
    checkedOut,
    async subscribed(tenant, plan, at) {
      const made = await order(tenant.keys.live, plan);
      assert.equal(made.status, 201, made.text);
      const subscription = stripe.pay(textOf(made, "id"), periodEnd);
      await checkedOut(subscription, at);
      return subscription;
    },
    async close() {
      await app.close();
      await stripe.close();
    },
  };
}
