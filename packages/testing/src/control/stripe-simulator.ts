import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The part of Stripe that billing uses, on loopback: checkouts, subscriptions, and signed events.
 */
export interface StripeSimulator {
  /** The configuration of the service under test. */
  readonly env: Readonly<Record<string, string>>;
  readonly secretKey: string;
  /** Every call, oldest first. */
  readonly calls: readonly SimulatedCall[];
  /**
   * How the next calls (of one method, or all) are answered: as Stripe does, with a status, or
   * never.
   */
  behave(how: Behaviour, method?: string | null): void;
  /** The customer pays: the checkout's subscription as Stripe would show it. */
  pay(checkoutId: string, periodEnd: Date): SimulatedSubscription;
  subscription(id: string): SimulatedSubscription;
  close(): Promise<void>;
}

interface SimulatedCall {
  readonly method: string;
  readonly path: string;
  readonly form: URLSearchParams;
  readonly idempotencyKey: string | null;
}

export interface SimulatedSubscription {
  readonly id: string;
  readonly customer: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly items: { readonly data: readonly { readonly current_period_end: number }[] };
  status: string;
}

type Behaviour = "normal" | "no-reply" | number;

const webhookSecret = "whsec_simulated_0123456789abcdef";

/** The body and signature of a webhook delivery, created and signed at `at`. */
export function stripeDelivery(
  event: { readonly type: string; readonly object: object; readonly at: Date },
  signing: { readonly secret?: string; readonly at?: Date } = {},
): { readonly body: string; readonly signature: string } {
  const body = JSON.stringify({
    id: `evt_${randomBytes(8).toString("hex")}`,
    object: "event",
    type: event.type,
    created: Math.floor(event.at.getTime() / 1_000),
    data: { object: event.object },
  });
  const time = Math.floor((signing.at ?? event.at).getTime() / 1_000);
  const mac = createHmac("sha256", signing.secret ?? webhookSecret).update(`${time}.${body}`);
  return { body, signature: `t=${time},v1=${mac.digest("hex")},v0=${"0".repeat(64)}` };
}

interface Ledger {
  answer(call: SimulatedCall): readonly [number, object];
  pay(checkoutId: string, periodEnd: Date): SimulatedSubscription;
  subscription(id: string): SimulatedSubscription;
}

function openLedger(): Ledger {
  const checkouts = new Map<string, URLSearchParams>();
  const subscriptions = new Map<string, SimulatedSubscription>();

  const createCheckout = (form: URLSearchParams): readonly [number, object] => {
    const problem = checkoutProblem(form);
    if (problem) return [400, refusal("invalid_request_error", problem)];
    const id = `cs_test_${randomBytes(12).toString("hex")}`;
    const url = `https://checkout.stripe.example/c/pay/${id}`;
    checkouts.set(id, form);
    return [200, { id, object: "checkout.session", url, status: "open" }];
  };

  const onSubscription = (method: string, id: string): readonly [number, object] => {
    const found = subscriptions.get(id);
    if (!found) return [404, refusal("invalid_request_error")];
    if (method === "GET") return [200, found];
    if (found.status === "canceled") return [404, refusal("invalid_request_error")];
    found.status = "canceled";
    return [200, found];
  };

  return {
    answer({ method, path, form }) {
      if (method === "POST" && path === "/v1/checkout/sessions") return createCheckout(form);
      const id = /^\/v1\/subscriptions\/([^/?]+)/.exec(path)?.[1];
      const isKnown = id !== undefined && (method === "GET" || method === "DELETE");
      return isKnown ? onSubscription(method, id) : [404, refusal("invalid_request_error")];
    },
    pay(checkoutId, periodEnd) {
      const form = checkouts.get(checkoutId) ?? assert.fail(`no checkout ${checkoutId}`);
      const subscription = {
        id: `sub_${randomBytes(12).toString("hex")}`,
        customer: form.get("customer") ?? `cus_${randomBytes(8).toString("hex")}`,
        status: "active",
        metadata: subscriptionMetadata(form),
        items: { data: [{ current_period_end: Math.floor(periodEnd.getTime() / 1_000) }] },
      };
      subscriptions.set(subscription.id, subscription);
      return subscription;
    },
    subscription: (id) => subscriptions.get(id) ?? assert.fail(`no subscription ${id}`),
  };
}

/** A repeated Idempotency-Key gets the stored reply, failures included; with another form, 400. */
function rememberAnswers(
  answer: (call: SimulatedCall) => readonly [number, object],
): (call: SimulatedCall) => readonly [number, object] {
  const remembered = new Map<string, { form: string; reply: readonly [number, object] }>();
  return (call) => {
    if (call.idempotencyKey === null) return answer(call);
    const form = call.form.toString();
    const earlier = remembered.get(call.idempotencyKey);
    if (earlier) return earlier.form === form ? earlier.reply : [400, refusal("idempotency_error")];
    const reply = answer(call);
    remembered.set(call.idempotencyKey, { form, reply });
    return reply;
  };
}

export async function startStripeSimulator(): Promise<StripeSimulator> {
  const secretKey = `sk_test_${randomBytes(40).toString("hex")}`;
  const calls: SimulatedCall[] = [];
  const ledger = openLedger();
  let behaviour: Behaviour = "normal";
  let onlyMethod: string | null = null;

  const answer = rememberAnswers((call) =>
    typeof behaviour === "number" && (onlyMethod === null || onlyMethod === call.method)
      ? [behaviour, refusal("api_error", `it broke for ${secretKey}`)]
      : ledger.answer(call),
  );
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = await request.toArray();
    const call = toCall(request, Buffer.concat(chunks).toString());
    calls.push(call);
    if (behaviour === "no-reply") return;
    const isAllowed = request.headers.authorization === `Bearer ${secretKey}`;
    const [status, body] = isAllowed ? answer(call) : [401, refusal("Invalid API Key provided")];
    response.writeHead(status, { "content-type": "application/json", "request-id": "req_1" });
    response.end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: `http://127.0.0.1:${port}`,
    },
    secretKey,
    calls,
    behave(how, method = null) {
      behaviour = how;
      onlyMethod = method;
    },
    pay: ledger.pay,
    subscription: ledger.subscription,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toCall(request: IncomingMessage, body: string): SimulatedCall {
  const key = request.headers["idempotency-key"];
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    form: new URLSearchParams(body),
    idempotencyKey: typeof key === "string" ? key : null,
  };
}

/** Why Stripe would refuse the checkout; null when it would not. */
function checkoutProblem(form: URLSearchParams): string | null {
  const item = "line_items[0]";
  const price = `${item}[price_data]`;
  const required = [
    "success_url",
    `${item}[quantity]`,
    `${price}[currency]`,
    `${price}[unit_amount]`,
    `${price}[product_data][name]`,
  ];
  const missing = required.find((name) => !form.get(name));
  if (missing) return `Missing required param: ${missing}`;
  if (form.get("mode") !== "subscription") return "mode";
  if (form.get(`${price}[recurring][interval]`) !== "month") return "recurring";
  return /^\d+$/.test(form.get(`${price}[unit_amount]`) ?? "") ? null : "Invalid integer";
}

function subscriptionMetadata(form: URLSearchParams): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (const [name, value] of form) {
    const key = /^subscription_data\[metadata\]\[(\w+)\]$/.exec(name)?.[1];
    if (key) metadata[key] = value;
  }
  return metadata;
}

function refusal(type: string, message = type): object {
  return { error: { type, message } };
}
