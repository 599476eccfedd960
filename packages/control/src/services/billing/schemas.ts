import { z } from "zod";

export const Subscribe = z.strictObject({
  plan: z.string().min(1).max(64).describe("The id of a plan with a price, from GET /v1/plans"),
});
export type Subscribe = z.infer<typeof Subscribe>;

/**
 * What is read of Stripe's objects. Events come in the API version of the webhook endpoint, answers
 * in ours: where a field has moved between versions, both places are read.
 */
const reference = z
  .union([z.string().min(1), z.object({ id: z.string().min(1) })])
  .transform((value) => (typeof value === "string" ? value : value.id));
const metadata = z.record(z.string(), z.string()).nullish();
const seconds = z.int().min(0);

export const StripeEvent = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  created: seconds,
  data: z.object({ object: z.unknown() }),
});
export type StripeEvent = z.infer<typeof StripeEvent>;

export const StripeCheckout = z.object({ id: z.string().min(1), url: z.url() });
export type StripeCheckout = z.infer<typeof StripeCheckout>;

export const CompletedCheckout = z.object({
  mode: z.string().nullish(),
  subscription: reference.nullish(),
  customer: reference.nullish(),
  payment_status: z.string().nullish(),
  metadata,
});

export const StripeSubscription = z
  .object({
    id: z.string().min(1),
    customer: reference.nullish(),
    status: z.string(),
    metadata,
    current_period_end: seconds.nullish(),
    items: z
      .object({ data: z.array(z.object({ current_period_end: seconds.nullish() })) })
      .nullish(),
  })
  .transform(({ items, current_period_end, ...subscription }) => ({
    ...subscription,
    periodEnd: current_period_end ?? items?.data[0]?.current_period_end ?? null,
  }));
export type StripeSubscription = z.infer<typeof StripeSubscription>;

export const FailedInvoice = z
  .object({
    subscription: reference.nullish(),
    parent: z
      .object({ subscription_details: z.object({ subscription: reference.nullish() }).nullish() })
      .nullish(),
  })
  .transform(
    (invoice) => invoice.subscription ?? invoice.parent?.subscription_details?.subscription ?? null,
  );
