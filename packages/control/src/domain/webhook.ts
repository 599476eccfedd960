import type { EventType } from "./event.ts";

export interface WebhookEndpoint {
  readonly id: string;
  readonly applicationId: string;
  readonly url: string;
  /** Subscribed kinds; `*` is all of them. */
  readonly events: readonly (EventType | "*")[];
  readonly active: boolean;
  readonly disabledReason: "gone" | "failing" | null;
  readonly createdAt: Date;
}

/** One try, as its log shows it. Kept in a JSON column, hence the wire's names. */
export interface DeliveryAttempt {
  readonly at: string;
  readonly status_code: number | null;
  readonly latency_ms: number;
  readonly error: string | null;
  readonly response_excerpt: string | null;
}

export type DeliveryStatus = "pending" | "delivered" | "failed" | "exhausted";

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

/** The wait after each failed try; about three days in all, front-loaded for a receiver's restart. */
const retryAfterMs = [
  5 * second,
  30 * second, // 35 s after the first try
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

export type AttemptResult =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly retryAfterSeconds: number | null;
    }
  | { readonly kind: "failed" };

export interface DeliveryDecision {
  readonly status: DeliveryStatus;
  /** Null when there is nothing more to try. */
  readonly nextInMs: number | null;
  readonly disables: "gone" | "failing" | null;
}

/**
 * What follows from one try. `tries` counts it. 2xx is success and a redirect is a failure like
 * any other; 410 says that the receiver is gone. `random` spreads retries by ±20 %.
 */
export function afterAttempt(
  result: AttemptResult,
  facts: { readonly tries: number; readonly failingForMs: number; readonly random: number },
): DeliveryDecision {
  if (result.kind === "answered" && result.status >= 200 && result.status < 300) {
    return { status: "delivered", nextInMs: null, disables: null };
  }
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
  // A receiver may ask for more time, but not push its retries out of the window.
  return {
    status: "failed",
    nextInMs: Math.round(Math.max(spread, Math.min(asked, 2 * stepMs))),
    disables: null,
  };
}
