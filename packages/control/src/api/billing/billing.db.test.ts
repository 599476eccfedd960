import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type BillingApp, periodEnd, startBillingApp } from "@mooring/testing/control/billing";
import { call, codeOf, textOf } from "@mooring/testing/control/http";
import { stripeDelivery } from "@mooring/testing/control/stripe-simulator";

describe("subscribing", () => {
  let billing: BillingApp;
  before(async () => {
    billing = await startBillingApp();
  });
  after(() => billing.close());

  it("opens a checkout, and the plan and its limits follow when it is paid", async () => {
    const { keys } = await billing.app.tenant("Happy");
    assert.deepEqual(await billing.read(keys.live), {
      plan: "free",
      status: "none",
      current_period_end: null,
    });
    assert.deepEqual(await billing.readLimit(keys.live), ["free", 10]);
    const made = await billing.order(keys.live, "starter");
    assert.equal(made.status, 201);
    assert.deepEqual(made.json(), {
      id: textOf(made, "id"),
      status: "incomplete",
      plan: "starter",
      checkout_url: `https://checkout.stripe.example/c/pay/${textOf(made, "id")}`,
    });
    assert.deepEqual(await billing.read(keys.live), {
      plan: "free",
      status: "incomplete",
      current_period_end: null,
    });
    await billing.checkedOut(billing.stripe.pay(textOf(made, "id"), periodEnd));
    assert.deepEqual(await billing.read(keys.live), {
      plan: "starter",
      status: "active",
      current_period_end: periodEnd.toISOString(),
    });
    assert.deepEqual(await billing.read(keys.test), await billing.read(keys.live));
    assert.deepEqual(await billing.readLimit(keys.live), ["starter", 100]);
    assert.deepEqual(await billing.readLimit(keys.test), ["starter", null]);
  });

  it("refuses a plan that is unknown or not for sale, naming those that are", async () => {
    const { keys } = await billing.app.tenant("Guess");
    for (const plan of ["gold", "self_hosted", "free"]) {
      const refused = await billing.order(keys.live, plan);
      assert.deepEqual([refused.status, codeOf(refused)], [400, "invalid"], plan);
      assert.match(refused.text, /starter, growth/);
    }
    assert.equal((await billing.read(keys.live))["status"], "none");
  });

  it("needs apps:admin to subscribe, and apps:admin or usage:read to read", async () => {
    const { keys } = await billing.app.tenant("Scoped");
    const mint = async (scope: string): Promise<string> => {
      const list = (await call(billing.app.api.url, "/v1/applications", { key: keys.live })).json();
      const [first] = list["data"] as { id: string }[];
      const body = { name: scope, scopes: [scope] };
      const path = `/v1/applications/${first?.id}/keys`;
      return textOf(await call(billing.app.api.url, path, { key: keys.live, body }), "secret");
    };
    const usage = await mint("usage:read");
    assert.equal((await call(billing.app.api.url, "/v1/subscription", { key: usage })).status, 200);
    assert.equal(codeOf(await billing.order(usage, "starter")), "forbidden");
    const reader = await mint("connections:read");
    const refused = await call(billing.app.api.url, "/v1/subscription", { key: reader });
    assert.deepEqual([refused.status, codeOf(refused)], [403, "forbidden"]);
  });

  it("answers a repeated Idempotency-Key with the same checkout and asks Stripe once", async () => {
    const { keys } = await billing.app.tenant("Repeat");
    const headers = { "idempotency-key": "order-1" };
    const first = await billing.order(keys.live, "starter", headers);
    const asked = billing.stripe.calls.length;
    const second = await billing.order(keys.live, "starter", headers);
    assert.equal(second.headers.get("idempotency-replayed"), "true");
    assert.deepEqual([second.status, second.text], [201, first.text]);
    assert.equal(billing.stripe.calls.length, asked);
    const other = await billing.order(keys.live, "growth", headers);
    assert.deepEqual([other.status, codeOf(other)], [422, "idempotency_mismatch"]);
  });

  it("reports a failing Stripe as provider_error, stores nothing, and can be tried again", async () => {
    const { keys } = await billing.app.tenant("Broken");
    const headers = { "idempotency-key": "order-1" };
    billing.stripe.behave(500);
    const failed = await billing.order(keys.live, "starter", headers);
    billing.stripe.behave("normal");
    assert.deepEqual([failed.status, codeOf(failed)], [502, "provider_error"]);
    assert.ok(!failed.text.includes("it broke"));
    assert.equal((await billing.read(keys.live))["status"], "none");
    assert.equal(failed.headers.get("retry-after"), "60");
    billing.app.clock.advance(60_000);
    assert.equal((await billing.order(keys.live, "starter", headers)).status, 201);
  });

  it("refuses a second subscription to the plan that is paid already", async () => {
    const tenant = await billing.app.tenant("Twice");
    await billing.subscribed(tenant, "starter");
    const fromTest = await billing.order(tenant.keys.test, "growth");
    assert.equal(fromTest.status, 201);
    const refused = await billing.order(tenant.keys.live, "starter");
    assert.deepEqual([refused.status, codeOf(refused)], [409, "conflict"]);
  });

  it("moves to another plan when its checkout is paid, and ends the one before", async () => {
    const tenant = await billing.app.tenant("Upgrade");
    const { live } = tenant.keys;
    const old = await billing.subscribed(tenant, "starter");
    const made = await billing.order(live, "growth");
    assert.equal(made.status, 201);
    assert.deepEqual(await billing.readLimit(live), ["starter", 100]);
    const next = billing.stripe.pay(textOf(made, "id"), periodEnd);
    assert.equal(next.customer, old.customer);
    await billing.deliver("customer.subscription.created", next);
    assert.deepEqual(await billing.readLimit(live), ["starter", 100]);
    await billing.checkedOut(next);
    assert.equal(billing.stripe.subscription(old.id).status, "canceled");
    await billing.deliver("customer.subscription.deleted", old);
    await billing.deliver("customer.subscription.updated", { ...old, status: "active" });
    await billing.checkedOut(old);
    assert.deepEqual(await billing.readLimit(live), ["growth", 1_000]);
    assert.equal(billing.stripe.subscription(next.id).status, "active");
  });

  it("does not move while the old subscription cannot be ended, so no tenant pays twice", async () => {
    const tenant = await billing.app.tenant("Stuck");
    const old = await billing.subscribed(tenant, "starter");
    const made = await billing.order(tenant.keys.live, "growth");
    const next = billing.stripe.pay(textOf(made, "id"), periodEnd);
    const object = { mode: "subscription", subscription: next.id };
    const now = billing.app.clock.now();
    const type = "checkout.session.completed";
    const { body, signature } = stripeDelivery({ type, object, at: now });
    billing.stripe.behave(503, "DELETE");
    assert.equal((await billing.post(body, signature)).status, 502);
    billing.stripe.behave("normal");
    assert.deepEqual(await billing.readLimit(tenant.keys.live), ["starter", 100]);
    assert.equal((await billing.post(body, signature)).status, 200);
    assert.equal(billing.stripe.subscription(old.id).status, "canceled");
    assert.deepEqual(await billing.readLimit(tenant.keys.live), ["growth", 1_000]);
  });

  it("subscribes again after the end, as the same customer", async () => {
    const tenant = await billing.app.tenant("Back");
    const { live } = tenant.keys;
    const first = await billing.subscribed(tenant, "starter");
    billing.app.clock.advance(5_000);
    first.status = "canceled";
    await billing.deliver("customer.subscription.deleted", first);
    const second = await billing.subscribed(tenant, "starter");
    assert.equal(second.customer, first.customer);
    assert.notEqual(second.id, first.id);
    assert.deepEqual(await billing.readLimit(live), ["starter", 100]);
  });

  it("never logs the Stripe key or the webhook secret", () => {
    const log = billing.app.logLines.join("");
    assert.ok(log.includes("stripe refused a call"));
    assert.ok(!log.includes(billing.stripe.secretKey.slice(0, 20)));
    assert.ok(!log.includes(billing.stripe.env["STRIPE_WEBHOOK_SECRET"] ?? "?"));
  });
});

describe("without a billing provider", () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  it("subscribing answers 502 billing_unavailable, and reading still works", async () => {
    const { keys } = await app.tenant("Selfhosted");
    const body = { plan: "starter" };
    const refused = await call(app.api.url, "/v1/subscriptions", { key: keys.live, body });
    assert.deepEqual([refused.status, codeOf(refused)], [502, "billing_unavailable"]);
    const shapeless = await call(app.api.url, "/v1/subscriptions", { key: keys.live, body: {} });
    assert.deepEqual([shapeless.status, codeOf(shapeless)], [400, "invalid"]);
    const view = await call(app.api.url, "/v1/subscription", { key: keys.live });
    assert.deepEqual(
      [view.status, view.json()],
      [200, { plan: "self_hosted", status: "none", current_period_end: null }],
    );
  });

  it("accepts no event", async () => {
    const delivery = stripeDelivery({ type: "x", object: {}, at: app.clock.now() });
    const response = await fetch(`${app.api.url}/billing/stripe`, {
      method: "POST",
      headers: { "stripe-signature": delivery.signature },
      body: delivery.body,
    });
    assert.equal(response.status, 502);
  });
});
