import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, describe, it } from "node:test";
import {
  type StripeSimulator,
  startStripeSimulator,
} from "@mooring/testing/control/stripe-simulator";
import { readConfig } from "../../config/config.ts";
import { AppError } from "../../domain/errors.ts";
import { createLogger } from "../../process/log.ts";
import { type CheckoutOrder, createStripe, isSignedByStripe, requireStripe } from "./stripe.ts";

const order: CheckoutOrder = {
  tenantId: "019a0000-0000-7000-8000-000000000001",
  plan: {
    id: "starter",
    name: "Starter & more",
    limits: { connect: 100, active_domain: null, cert: null, api_call: null },
    price_cents: 2_900,
  },
  customer: null,
  returnUrl: "https://app.example/billing?tab=plan",
  occasion: "1",
};

describe("the Stripe client", () => {
  const lines: string[] = [];
  const log = createLogger({
    level: "trace",
    name: "test",
    destination: { write: (line) => void lines.push(line) },
  });
  let simulator: StripeSimulator;
  before(async () => {
    simulator = await startStripeSimulator();
  });
  after(() => simulator.close());

  const client = (secretKey = simulator.secretKey, timeoutMs = 5_000) =>
    createStripe({
      base: simulator.env["STRIPE_API_BASE"] ?? "",
      secretKey,
      fetch: globalThis.fetch,
      log,
      timeoutMs,
    });

  const failureKind = async (work: Promise<unknown>): Promise<unknown> => {
    const error = await work.then(
      () => assert.fail("it should have failed"),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof AppError && error.code === "provider_error");
    assert.ok(!error.message.includes("sk_"));
    return error.details;
  };

  it("orders the plan at its price, with the tenant in both metadata", async () => {
    const checkout = await client().createCheckout(order);
    assert.match(checkout.id, /^cs_test_/);
    const { form } = simulator.calls.at(-1) ?? assert.fail("no call");
    assert.deepEqual(Object.fromEntries(form), {
      mode: "subscription",
      client_reference_id: order.tenantId,
      success_url: "https://app.example/billing?tab=plan&checkout=success",
      cancel_url: "https://app.example/billing?tab=plan&checkout=canceled",
      "line_items[0][quantity]": "1",
      "line_items[0][price_data][currency]": "usd",
      "line_items[0][price_data][unit_amount]": "2900",
      "line_items[0][price_data][recurring][interval]": "month",
      "line_items[0][price_data][product_data][name]": "Starter & more",
      "metadata[tenant_id]": order.tenantId,
      "metadata[plan]": "starter",
      "subscription_data[metadata][tenant_id]": order.tenantId,
      "subscription_data[metadata][plan]": "starter",
    });
  });

  it("gets the same checkout for the same order and occasion, another one otherwise", async () => {
    const ids = new Set<string>();
    for (const change of [{}, {}, { occasion: "2" }, { customer: "cus_1" }]) {
      ids.add((await client().createCheckout({ ...order, ...change })).id);
    }
    assert.equal(ids.size, 3);
  });

  it("reports the kind of a failure and nothing of the reply", async () => {
    for (const [status, kind] of [
      [400, "unsupported"],
      [402, "unsupported"],
      [403, "auth"],
      [404, "not_found"],
      [409, "conflict"],
      [429, "rate_limited"],
      [500, "unavailable"],
      [503, "unavailable"],
    ] as const) {
      simulator.behave(status);
      const details = await failureKind(
        client().createCheckout({ ...order, occasion: `${status}` }),
      );
      assert.deepEqual(details, { provider: "stripe", kind });
    }
    simulator.behave("normal");
    const wrongKey = client("sk_test_wrong").createCheckout(order);
    assert.deepEqual(await failureKind(wrongKey), { provider: "stripe", kind: "auth" });
  });

  it("fails when a reply does not come or is not what Stripe sends", async () => {
    simulator.behave("no-reply");
    const late = client(simulator.secretKey, 50).createCheckout(order);
    assert.deepEqual(await failureKind(late), { provider: "stripe", kind: "unavailable" });
    simulator.behave(200);
    const odd = client().readSubscription("sub_1");
    assert.deepEqual(await failureKind(odd), { provider: "stripe", kind: "unavailable" });
    simulator.behave("normal");
  });

  it("counts a subscription that does not exist as canceled, and reads none", async () => {
    await client().cancelSubscription("sub_gone");
    assert.equal(simulator.calls.at(-1)?.method, "DELETE");
    assert.equal(await client().readSubscription("sub_gone"), null);
  });

  it("calls a replacement on this machine when the operator set it, and needs a key", async () => {
    const config = readConfig({ ...simulator.env });
    const checkout = await requireStripe({ config, log }).createCheckout(order);
    assert.match(checkout.id, /^cs_test_/);
    assert.throws(
      () => requireStripe({ config: readConfig({}), log }),
      (error) => error instanceof AppError && error.code === "billing_unavailable",
    );
  });

  it("never logs the secret key", () => {
    assert.ok(lines.length > 0);
    assert.ok(!lines.join("").includes(simulator.secretKey.slice(0, 20)));
  });
});

const secret = "whsec_test";
const now = new Date("2026-11-15T12:00:00.400Z");
const second = Math.floor(now.getTime() / 1_000);
// Not UTF-8: a signature covers bytes, not text.
const body = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);

function mac(time: number, key = secret): string {
  return createHmac("sha256", key).update(`${time}.`).update(body).digest("hex");
}

function accepts(header: string, bytes = body): boolean {
  return isSignedByStripe(header, bytes, secret, now);
}

describe("Stripe's signature", () => {
  it("is accepted over the exact bytes, with one valid value among several", () => {
    assert.ok(accepts(`t=${second},v1=${mac(second)}`));
    assert.ok(accepts(`t=${second}, v1=${mac(second, "old")}, v1=${mac(second)}, v0=00`));
  });

  it("is refused when the body, the time or the secret is another", () => {
    assert.ok(!accepts(`t=${second},v1=${mac(second)}`, Buffer.concat([body, Buffer.of(0x20)])));
    assert.ok(!accepts(`t=${second - 1},v1=${mac(second)}`));
    assert.ok(!accepts(`t=${second},v1=${mac(second, "other")}`));
  });

  it("holds for 300 seconds either way and no longer", () => {
    for (const [offset, expected] of [
      [-299, true],
      [-301, false],
      [300, true],
      [301, false],
    ] as const) {
      const time = second + offset;
      assert.equal(accepts(`t=${time},v1=${mac(time)}`), expected, String(offset));
    }
  });

  it("is refused in any other form", () => {
    const good = mac(second);
    for (const header of [
      "",
      "t=",
      `v1=${good}`,
      `t=${second}`,
      `t=${second},v0=${good}`,
      `t=${second},v1=${good.slice(2)}`,
      `t=${second},v1=${good}00`,
      `t=${second},v1=`,
      `t=${second},t=${second},v1=${good}`,
      `t=x,v1=${good}`,
      `t=-1,v1=${good}`,
    ]) {
      assert.ok(!accepts(header), header);
    }
  });
});
