import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createGuard } from "@mooring/egress";
import { z } from "zod";
import type { Config } from "../../config/config.ts";
import { currency, type Plan } from "../../domain/billing/plan.ts";
import { AppError } from "../../domain/errors.ts";
import type { Logger } from "../../process/log.ts";

/**
 * The three calls billing makes. Every failure is a `provider_error` without anything of its body.
 */
export interface Stripe {
  createCheckout(order: CheckoutOrder, signal?: AbortSignal): Promise<StripeCheckout>;
  /** Null when this Stripe account has no such subscription. */
  readSubscription(id: string): Promise<StripeSubscription | null>;
  /** Ends it at once and credits the rest of the period to the customer; a repeat is a no-op. */
  cancelSubscription(id: string): Promise<void>;
}

export interface CheckoutOrder {
  readonly tenantId: string;
  readonly plan: Plan;
  /** The tenant's customer id at Stripe, when it has one. */
  readonly customer: string | null;
  /** Where Stripe sends the browser afterwards. */
  readonly returnUrl: string;
  /** Equal orders with an equal occasion get the same checkout instead of a second one. */
  readonly occasion: string;
}

export interface StripeOptions {
  readonly base: string;
  readonly secretKey: string;
  readonly fetch: typeof globalThis.fetch;
  readonly log: Logger;
  readonly timeoutMs?: number;
}

const ownOrigin = "https://api.stripe.com";
const apiVersion = "2025-03-31.basil";
const defaultTimeoutMs = 8_000;

/** Billing as configured, or `billing_unavailable`. */
export function requireStripe(runtime: { readonly config: Config; readonly log: Logger }): Stripe {
  const { stripeSecretKey: secretKey, stripeApiBase: base } = runtime.config;
  if (!secretKey) throw billingUnavailable();
  // The operator sets the base URL, and no other host is ever called (redirects are not followed),
  // so a replacement for Stripe may be on this machine or network.
  const guard = createGuard({
    allow: runtime.config.egressAllow,
    nameServers: runtime.config.egressResolvers,
    allowPrivate: new URL(base).origin !== ownOrigin,
  });
  return createStripe({ base, secretKey, fetch: guard.fetch, log: runtime.log });
}

export function billingUnavailable(): AppError {
  return new AppError("billing_unavailable", "no billing provider is configured");
}

export function createStripe(options: StripeOptions): Stripe {
  return {
    async createCheckout(order, signal) {
      const form = checkoutForm(order);
      const response = await exchange(options, {
        method: "POST",
        path: "/v1/checkout/sessions",
        form,
        idempotencyKey: createHash("sha256").update(`${order.occasion}\n${form}`).digest("hex"),
        ...(signal ? { signal } : {}),
      });
      return accept(options, StripeCheckout, response);
    },
    async readSubscription(id) {
      const response = await exchange(options, { method: "GET", path: subscriptionPath(id) });
      return response.status === 404 ? null : accept(options, StripeSubscription, response);
    },
    async cancelSubscription(id) {
      const path = `${subscriptionPath(id)}?prorate=true&invoice_now=true`;
      const response = await exchange(options, { method: "DELETE", path });
      if (response.status !== 404) await accept(options, StripeSubscription, response);
    },
  };
}

function subscriptionPath(id: string): string {
  return `/v1/subscriptions/${encodeURIComponent(id)}`;
}

/** The price is part of the order, so nothing has to be configured at Stripe beforehand. */
function checkoutForm(order: CheckoutOrder): URLSearchParams {
  const { plan, tenantId } = order;
  const returnTo = (outcome: string): string => {
    const url = new URL(order.returnUrl);
    url.searchParams.set("checkout", outcome);
    return url.toString();
  };
  return new URLSearchParams({
    mode: "subscription",
    client_reference_id: tenantId,
    ...(order.customer === null ? {} : { customer: order.customer }),
    success_url: returnTo("success"),
    cancel_url: returnTo("canceled"),
    "line_items[0][quantity]": "1",
    "line_items[0][price_data][currency]": currency,
    "line_items[0][price_data][unit_amount]": String(plan.price_cents),
    "line_items[0][price_data][recurring][interval]": "month",
    "line_items[0][price_data][product_data][name]": plan.name,
    "metadata[tenant_id]": tenantId,
    "metadata[plan]": plan.id,
    // Events about the subscription carry its own metadata, not the checkout's.
    "subscription_data[metadata][tenant_id]": tenantId,
    "subscription_data[metadata][plan]": plan.id,
  });
}

interface StripeCall {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly form?: URLSearchParams;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

async function accept<T extends z.ZodType>(
  options: StripeOptions,
  answer: T,
  response: Response,
): Promise<z.output<T>> {
  if (!response.ok) {
    const requestId = response.headers.get("request-id");
    options.log.warn(
      { status: response.status, stripeRequest: requestId },
      "stripe refused a call",
    );
    throw providerError(classifyStatus(response.status));
  }
  const parsed = answer.safeParse(await readBody(response));
  if (!parsed.success) throw providerError("unavailable");
  return parsed.data;
}

async function exchange(options: StripeOptions, call: StripeCall): Promise<Response> {
  const deadline = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs);
  try {
    return await options.fetch(options.base.replace(/\/$/, "") + call.path, {
      method: call.method,
      headers: {
        authorization: `Bearer ${options.secretKey}`,
        "stripe-version": apiVersion,
        ...(call.idempotencyKey ? { "idempotency-key": call.idempotencyKey } : {}),
      },
      ...(call.form ? { body: call.form } : {}),
      signal: call.signal ? AbortSignal.any([deadline, call.signal]) : deadline,
    });
  } catch (error) {
    options.log.warn({ err: error }, "stripe could not be reached");
    throw providerError("unavailable", error);
  }
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw providerError("unavailable", error);
  }
}

type FailureKind =
  | "auth"
  | "not_found"
  | "rate_limited"
  | "conflict"
  | "unavailable"
  | "unsupported";

function classifyStatus(status: number): FailureKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 404) return "not_found";
  if (status === 409) return "conflict";
  if (status === 429) return "rate_limited";
  return status >= 400 && status < 500 ? "unsupported" : "unavailable";
}

function providerError(kind: FailureKind, cause?: unknown): AppError {
  return new AppError("provider_error", "the billing provider did not do it, try again shortly", {
    cause,
    details: { provider: "stripe", kind },
    // Stripe repeats a failure for the same Idempotency-Key, which changes every minute.
    ...(kind === "unavailable" ? { retryAfterSeconds: 60 } : {}),
  });
}

/**
 * The fields we read of Stripe's objects. Events come in the API version of the webhook endpoint,
 * replies in ours: where a field has moved between versions, both fields are read.
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

/** How far the signed time may differ from ours; a captured delivery cannot be replayed later. */
const toleranceSeconds = 300;

/**
 * Stripe's webhook signature: `t=<unix seconds>,v1=<hex>[,v1=<hex>…]`, each v1 an HMAC-SHA256 over
 * `<t>.<raw body>`. While a secret is rolled there are several, and one valid signature suffices;
 * other schemes in the header are ignored.
 */
export function isSignedByStripe(header: string, body: Buffer, secret: string, now: Date): boolean {
  const fields = header.split(",").map((part) => part.trim().split("=", 2));
  const times = fields.filter(([name]) => name === "t").map(([, value]) => value ?? "");
  const [time] = times;
  if (times.length !== 1 || time === undefined || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(now.getTime() / 1_000 - Number(time)) > toleranceSeconds) return false;
  const expected = createHmac("sha256", secret).update(`${time}.`).update(body).digest();
  return fields
    .filter(([name, value]) => name === "v1" && /^[0-9a-f]{64}$/.test(value ?? ""))
    .map(([, value]) => timingSafeEqual(Buffer.from(value ?? "", "hex"), expected))
    .includes(true);
}
