import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type BillingApp, periodEnd, startBillingApp } from "@mooring/testing/control/billing";
import { call, textOf } from "@mooring/testing/control/http";
import { stripeDelivery } from "@mooring/testing/control/stripe-simulator";
import { setTenantPlan } from "../../services/operator/tenants.ts";

describe("Stripe's events", () => {
  let billing: BillingApp;
  before(async () => {
    billing = await startBillingApp();
  });
  after(() => billing.close());

  it("leaves the plan while payment is late and removes it at the end", async () => {
    const tenant = await billing.app.tenant("Late");
    const { live } = tenant.keys;
    const subscription = await billing.subscribed(tenant, "starter");
    billing.app.clock.advance(5_000);
    const parent = { subscription_details: { subscription: subscription.id } };
    await billing.deliver("invoice.payment_failed", { parent });
    assert.equal((await billing.read(live))["status"], "past_due");
    assert.deepEqual(await billing.readLimit(live), ["starter", 100]);
    billing.app.clock.advance(5_000);
    await billing.deliver("customer.subscription.updated", { ...subscription, status: "active" });
    assert.equal((await billing.read(live))["status"], "active");
    billing.app.clock.advance(5_000);
    await billing.deliver("invoice.payment_failed", { subscription: subscription.id });
    billing.app.clock.advance(5_000);
    await billing.deliver("customer.subscription.deleted", subscription);
    assert.equal((await billing.read(live))["status"], "canceled");
    assert.deepEqual(await billing.readLimit(live), ["free", 10]);
  });

  it("lets neither replayed nor late events move a subscription backwards", async () => {
    const tenant = await billing.app.tenant("Order");
    const { live } = tenant.keys;
    const { deliver } = billing;
    const paidAt = billing.app.clock.now();
    const before = new Date(paidAt.getTime() - 60_000);
    const subscription = await billing.subscribed(tenant, "starter", paidAt);
    await deliver(
      "customer.subscription.created",
      { ...subscription, status: "incomplete" },
      paidAt,
    );
    await deliver("customer.subscription.updated", { ...subscription, status: "past_due" }, before);
    await deliver("invoice.payment_failed", { subscription: subscription.id }, before);
    assert.equal((await billing.read(live))["status"], "active");
    billing.app.clock.advance(10_000);
    const endedAt = billing.app.clock.now();
    subscription.status = "canceled";
    await deliver("customer.subscription.deleted", subscription, endedAt);
    await deliver("customer.subscription.updated", { ...subscription, status: "active" }, endedAt);
    await deliver("customer.subscription.updated", { ...subscription, status: "active" }, paidAt);
    await deliver("customer.subscription.deleted", subscription, endedAt);
    await billing.checkedOut(subscription, paidAt);
    assert.equal((await billing.read(live))["status"], "canceled");
    assert.deepEqual(await billing.readLimit(live), ["free", 10]);
  });

  it("trusts the signed event for a subscription that Stripe does not return", async () => {
    const { tenant, keys } = await billing.app.tenant("Unseen");
    const checkout = {
      mode: "subscription",
      subscription: { id: "sub_unseen" },
      customer: "cus_unseen",
      metadata: { tenant_id: tenant.id, plan: "starter" },
    };
    const unpaid = { ...checkout, payment_status: "unpaid" };
    await billing.deliver("checkout.session.completed", unpaid);
    assert.equal((await billing.read(keys.live))["status"], "incomplete");
    const paid = { ...checkout, payment_status: "paid" };
    await billing.deliver("checkout.session.async_payment_succeeded", paid);
    assert.deepEqual(await billing.readLimit(keys.live), ["starter", 100]);
    await billing.deliver("customer.subscription.updated", {
      id: "sub_unseen",
      customer: "cus_unseen",
      status: "active",
      metadata: checkout.metadata,
      current_period_end: periodEnd.getTime() / 1_000,
    });
    await billing.deliver("checkout.session.completed", paid);
    assert.deepEqual(await billing.read(keys.live), {
      plan: "starter",
      status: "active",
      current_period_end: periodEnd.toISOString(),
    });
  });

  it("leaves a plan that the operator has set meanwhile until the subscription changes", async () => {
    const tenant = await billing.app.tenant("Favoured");
    const subscription = await billing.subscribed(tenant, "starter");

    await setTenantPlan(billing.app.operator, tenant.tenant.id, "growth");
    billing.app.clock.advance(5_000);
    await billing.deliver("customer.subscription.updated", subscription);
    assert.deepEqual(await billing.readLimit(tenant.keys.live), ["growth", 1_000]);
  });

  it("records events that come at once exactly once, and says so in the audit log", async () => {
    const tenant = await billing.app.tenant("Crowd");
    const made = await billing.order(tenant.keys.live, "starter");
    const subscription = billing.stripe.pay(textOf(made, "id"), periodEnd);
    await Promise.all(
      Array.from({ length: 5 }, () =>
        billing.deliver("customer.subscription.updated", subscription),
      ),
    );
    assert.equal((await billing.read(tenant.keys.live))["status"], "active");
    const { rows } = await billing.app.operator.database.pool.query<{ details: object }>(
      "select details from audit_log where tenant_id = $1 and actor = 'stripe'",
      [tenant.tenant.id],
    );
    assert.deepEqual(rows, [{ details: { from: "incomplete", to: "active", plan: "starter" } }]);
  });

  it("accepts and ignores what concerns no tenant of ours", async () => {
    const { keys } = await billing.app.tenant("Bystander");
    const foreign = { id: "sub_x", customer: "cus_x", status: "active", items: { data: [] } };
    const plan = "growth";
    await billing.deliver("customer.subscription.updated", foreign);
    await billing.deliver("customer.subscription.updated", {
      ...foreign,
      metadata: { tenant_id: "1", plan },
    });
    const tenant_id = "019a0000-0000-7000-8000-00000000dead";
    await billing.deliver("customer.subscription.updated", {
      ...foreign,
      metadata: { tenant_id, plan },
    });
    await billing.deliver("invoice.payment_failed", { subscription: "sub_x" });
    await billing.deliver("invoice.payment_failed", { parent: null });
    await billing.deliver("checkout.session.completed", { mode: "payment", subscription: null });
    await billing.deliver("customer.created", { id: "cus_x" });
    assert.equal((await billing.read(keys.live))["status"], "none");
  });

  it("refuses a delivery that is tampered with, old, unsigned or signed with another secret", async () => {
    const tenant = await billing.app.tenant("Forged");
    const made = await billing.order(tenant.keys.live, "starter");
    const object = billing.stripe.pay(textOf(made, "id"), periodEnd);
    const event = { type: "customer.subscription.updated", object, at: billing.app.clock.now() };
    const good = stripeDelivery(event);
    const old = new Date(event.at.getTime() - 301_000);
    const attempts: readonly (readonly [string, string | null])[] = [
      [good.body.replace("starter", "growth"), good.signature],
      [`${good.body} `, good.signature],
      [good.body, null],
      [good.body, "t=1,v1=00"],
      [good.body, stripeDelivery(event, { secret: "whsec_other" }).signature],
      [good.body, stripeDelivery({ ...event, at: old }, { at: old }).signature],
    ];
    for (const [body, signature] of attempts) {
      assert.equal((await billing.post(body, signature)).status, 400, String(signature));
    }
    assert.equal((await billing.read(tenant.keys.live))["status"], "incomplete");
    assert.equal((await billing.post(good.body, good.signature)).status, 200);
    billing.app.clock.advance(301_000);
    assert.equal((await billing.post(good.body, good.signature)).status, 400);
  });

  it("reads raw bytes up to 256 KiB on that path and JSON up to 64 KiB elsewhere", async () => {
    const object = { id: "cus_x", padding: "x".repeat(200_000) };
    await billing.deliver("customer.updated", object);
    const large = await billing.post("x".repeat(262_145), "t=1,v1=00");
    assert.equal(large.status, 413);
    assert.match(await large.text(), /262,144/);
    const { keys } = await billing.app.tenant("Sizes");
    const body = { plan: "x".repeat(70_000) };
    const refused = await call(billing.app.api.url, "/v1/subscriptions", { key: keys.live, body });
    assert.equal(refused.status, 413);
  });
});
