import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import {
  nextSubscription,
  planAfter,
  replacesPaid,
  type Subscription,
  type SubscriptionUpdate,
  subscriptionStatuses,
} from "./subscription.ts";

const begun: Subscription = {
  plan: "starter",
  status: "incomplete",
  customer: null,
  stripeId: null,
  currentPeriodEnd: null,
  lastEventAt: null,
};

function update(
  change: Partial<SubscriptionUpdate> & { readonly second?: number },
): SubscriptionUpdate {
  const { second = 1, ...rest } = change;
  return {
    plan: "starter",
    status: "active",
    customer: "cus_1",
    stripeId: "sub_1",
    currentPeriodEnd: null,
    at: new Date(second * 1_000),
    isReadBack: false,
    ...rest,
  };
}

function after(...events: readonly SubscriptionUpdate[]): Subscription {
  return events.reduce<Subscription>((now, each) => nextSubscription(now, each) ?? now, begun);
}

const status = fc.constantFrom(...subscriptionStatuses);

describe("a subscription", () => {
  it("ends where its last event says, whatever the order and repetition of deliveries", () => {
    const history = fc.array(status, { minLength: 1, maxLength: 8 }).chain((statuses) => {
      const events = statuses.map((each, second) => update({ status: each, second }));
      const repeats = fc.array(fc.constantFrom(...events), { maxLength: 8 });
      return repeats
        .chain((more) => {
          const all = [...events, ...more];
          return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
        })
        .map((delivered) => ({ delivered, last: statuses.at(-1) }));
    });
    fc.assert(
      fc.property(history, ({ delivered, last }) => {
        assert.equal(after(...delivered).status, last);
      }),
      { numRuns: propertyRuns(5_000) },
    );
  });

  it("goes only forward among events of the same second", () => {
    const events = (["incomplete", "active", "canceled"] as const).map((each) =>
      update({ status: each }),
    );
    fc.assert(
      fc.property(fc.shuffledSubarray(events, { minLength: 3 }), (delivered) => {
        assert.equal(after(...delivered).status, "canceled");
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it("that is paid is replaced by no event of another, except a completed checkout that is still active", () => {
    const other = fc.record({
      status,
      second: fc.integer({ min: 0, max: 10 }),
      isReadBack: fc.boolean(),
    });
    const paid = after(update({ status: "active", second: 5 }));
    fc.assert(
      fc.property(other, (event) => {
        const replacing = update({ ...event, stripeId: "sub_2", plan: "growth" });
        const isDue = event.isReadBack && event.status === "active";
        assert.equal(replacesPaid(paid, replacing), isDue);
        assert.equal(nextSubscription(paid, replacing)?.stripeId, isDue ? "sub_2" : undefined);
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  it("that has ended is replaced by a new one, but not by an event older than its end", () => {
    const ended = after(update({ second: 5 }), update({ status: "canceled", second: 6 }));
    const second = (at: number) =>
      nextSubscription(ended, update({ stripeId: "sub_2", second: at }));
    assert.equal(second(5), null);
    assert.equal(second(7)?.stripeId, "sub_2");
    const late = update({ stripeId: "sub_2", second: 5, isReadBack: true });
    assert.equal(nextSubscription(ended, late)?.stripeId, "sub_2");
  });
});

describe("the plan of the tenant", () => {
  const active = after(update({ second: 1 }));
  const canceled = after(update({ second: 1 }), update({ status: "canceled", second: 2 }));

  it("follows a subscription that becomes active and falls back when that ends", () => {
    assert.equal(planAfter(begun, active, "free"), "starter");
    assert.equal(planAfter(active, canceled, "free"), "free");
    assert.equal(planAfter(active, { ...active, plan: "growth" }, "free"), "growth");
  });

  it("stays while payment is late, at a renewal, and when a checkout is abandoned", () => {
    const late = { ...active, status: "past_due" } as const;
    assert.equal(planAfter(active, late, "free"), null);
    assert.equal(planAfter(late, active, "free"), null);
    assert.equal(planAfter(active, active, "free"), null);
    assert.equal(planAfter(begun, { ...begun, status: "canceled" }, "free"), null);
  });
});
