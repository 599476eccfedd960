import { createHmac } from "node:crypto";
import type { SubscribableType } from "./event.ts";

/** `cloudflare`: as that vendor notifies of the certificates of custom hostnames. */
export const endpointFormats = ["standard", "cloudflare"] as const;
export type EndpointFormat = (typeof endpointFormats)[number];

export interface WebhookEndpoint {
  readonly id: string;
  readonly applicationId: string;
  readonly url: string;
  /** Subscribed event types; `*` means all. */
  readonly events: readonly (SubscribableType | "*")[];
  readonly format: EndpointFormat;
  readonly active: boolean;
  readonly disabledReason: DisabledReason | null;
  /** The last replay since a time; null when there was none. */
  readonly replay: EndpointReplay | null;
  readonly createdAt: Date;
}

/** Events that are sent again; a long replay continues after the request that began it. */
export interface EndpointReplay {
  readonly since: Date;
  readonly replayed: number;
  readonly complete: boolean;
}

/** Why the service switched the endpoint off: it replied 410, or failed for five days. */
export type DisabledReason = "gone" | "failing";

/** One attempt in the delivery log. Stored in a JSON column, hence the API's field names. */
export interface DeliveryAttempt {
  readonly at: string;
  readonly status_code: number | null;
  readonly latency_ms: number;
  readonly error: string | null;
  readonly response_excerpt: string | null;
}

/**
 * Why an attempt got no answer, as the tenant sees it. Everything about a host that is not public
 * is `unreachable`: that it does not exist, that its address is refused, or that nothing answers
 * there.
 */
export const deliveryErrors = [
  "unreachable",
  "timeout",
  "connection_failed",
  "tls_failed",
  "url_refused",
] as const;
export type DeliveryError = (typeof deliveryErrors)[number];

export const deliveryStatuses = ["pending", "delivered", "failed", "exhausted"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface Delivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly status: DeliveryStatus;
  readonly attempts: readonly DeliveryAttempt[];
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * The wait after each failed attempt; about three days in all, front-loaded for a receiver's
 * restart.
 */
const retryAfterMs = [
  5 * second,
  30 * second, // 35 s after the first attempt
  2 * minute,
  10 * minute,
  30 * minute, // 43 min
  2 * hour,
  5 * hour,
  10 * hour, // 17 h 43 min
  14 * hour,
  20 * hour,
  24 * hour, // 75 h 43 min
] as const;

const offAfterMs = 120 * hour;
/** Longer than any wait between two attempts of one delivery, with the receiver's Retry-After. */
const quietAfterMs = 50 * hour;

export type AttemptResult =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly retryAfterSeconds: number | null;
    }
  | { readonly kind: "failed" };

export interface DeliveryDecision {
  readonly status: DeliveryStatus;
  /** Null when no attempt follows. */
  readonly nextInMs: number | null;
  readonly disables: DisabledReason | null;
}

export function isSuccess(result: AttemptResult): boolean {
  return result.kind === "answered" && result.status >= 200 && result.status < 300;
}

/**
 * Decides what follows an attempt, which `tries` includes. 2xx is success; a redirect is a failure;
 * 410 switches the endpoint off. `random` (0 to 1) spreads retries by ±20 %.
 */
export function afterAttempt(
  result: AttemptResult,
  facts: { readonly tries: number; readonly failingForMs: number; readonly random: number },
): DeliveryDecision {
  if (isSuccess(result)) return { status: "delivered", nextInMs: null, disables: null };
  if (result.kind === "answered" && result.status === 410) {
    return { status: "failed", nextInMs: null, disables: "gone" };
  }
  if (facts.failingForMs >= offAfterMs) {
    return { status: "failed", nextInMs: null, disables: "failing" };
  }
  const stepMs = retryAfterMs[facts.tries - 1];
  if (stepMs === undefined) return { status: "exhausted", nextInMs: null, disables: null };
  const asked = result.kind === "answered" ? (result.retryAfterSeconds ?? 0) * second : 0;
  const spread = stepMs * (0.8 + facts.random * 0.4);
  // A receiver may ask for more time, but at most for twice the step.
  return {
    status: "failed",
    nextInMs: Math.round(Math.max(spread, Math.min(asked, 2 * stepMs))),
    disables: null,
  };
}

/** Whether an endpoint is switched on, and since when it fails. */
export interface EndpointHealth {
  readonly active: boolean;
  readonly failingSince: Date | null;
  readonly lastFailedAt: Date | null;
}

/**
 * Since when an endpoint that fails now has been failing. After a long time without attempts a
 * failure starts a new period: an endpoint that got nothing has not failed meanwhile.
 */
export function failingSince(health: EndpointHealth, now: Date): Date {
  const { failingSince: since, lastFailedAt } = health;
  if (since === null || lastFailedAt === null) return now;
  return now.getTime() - lastFailedAt.getTime() > quietAfterMs ? now : since;
}

/**
 * The headers that prove a delivery. `X-Svc-Signature` is HMAC-SHA256 over `<timestamp>.<body>`
 * with the UTF-8 bytes of the whole secret; `webhook-signature` is that of the Standard Webhooks
 * libraries, over `<id>.<timestamp>.<body>` with the decoded bytes. During a rotation the previous
 * secret signs too.
 */
export function signatureHeaders(delivery: {
  readonly eventId: string;
  readonly eventType: string;
  readonly attempt: number;
  readonly body: string;
  readonly at: Date;
  readonly secret: string;
  readonly previousSecret: string | null;
}): Record<string, string> {
  const timestamp = String(Math.floor(delivery.at.getTime() / 1_000));
  const secrets = [delivery.secret, ...(delivery.previousSecret ? [delivery.previousSecret] : [])];
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const content = `${delivery.eventId}.${timestamp}.${delivery.body}`;
    return `v1,${createHmac("sha256", key).update(content, "utf8").digest("base64")}`;
  });
  return {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Mooring-Webhooks/1",
    "x-svc-timestamp": timestamp,
    "x-svc-signature": sign(delivery.secret, timestamp, delivery.body),
    ...(delivery.previousSecret
      ? { "x-svc-signature-previous": sign(delivery.previousSecret, timestamp, delivery.body) }
      : {}),
    "x-svc-event-id": delivery.eventId,
    "x-svc-event": delivery.eventType,
    "x-svc-attempt": String(delivery.attempt),
    "webhook-id": delivery.eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": standard.join(" "),
  };
}

function sign(secret: string, timestamp: string, body: string): string {
  const mac = createHmac("sha256", secret).update(`${timestamp}.${body}`, "utf8").digest("hex");
  return `sha256=${mac}`;
}
