import { z } from "zod";
import { subscriptionStatuses } from "../../domain/subscription.ts";
import type { StartedCheckout, SubscriptionView } from "../../services/billing/subscription.ts";
import { Time, timeOrNull } from "./time.ts";

export const SubscriptionBody = z
  .object({
    plan: z.string().describe("The plan in effect"),
    status: z.enum(["none", ...subscriptionStatuses]),
    current_period_end: Time.nullable(),
  })
  .meta({ id: "Subscription" });

export function subscriptionBody(view: SubscriptionView): z.input<typeof SubscriptionBody> {
  return {
    plan: view.plan,
    status: view.status,
    current_period_end: timeOrNull(view.currentPeriodEnd),
  };
}

export const CheckoutBody = z
  .object({
    id: z.string().describe("The checkout's id at the billing provider"),
    status: z.literal("incomplete"),
    plan: z.string(),
    checkout_url: z.string().meta({ format: "uri" }),
  })
  .meta({ id: "Checkout" });

export function checkoutBody(checkout: StartedCheckout): z.input<typeof CheckoutBody> {
  return {
    id: checkout.id,
    status: "incomplete",
    plan: checkout.plan,
    checkout_url: checkout.checkoutUrl,
  };
}
