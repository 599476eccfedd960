import { foreignText } from "@mooring/dns";
import { EgressError, type EgressResponse, parseRetryAfter } from "@mooring/egress";
import type { DueRows } from "@mooring/postgres";
import { parkDelivery } from "../../db/queries/operator/parked-rows.ts";
import {
  claimDueDeliveries,
  type DueDelivery,
  extendDeliveries,
  releaseDelivery,
} from "../../db/queries/webhooks/due-deliveries.ts";
import {
  cloudflareHeaders,
  cloudflareNotification,
} from "../../domain/webhooks/cloudflare-notification.ts";
import {
  type AttemptResult,
  type DeliveryAttempt,
  type DeliveryError,
  isSuccess,
  signatureHeaders,
} from "../../domain/webhooks/webhook.ts";
import { isRowFault } from "../row-fault.ts";
import type { Runtime } from "../runtime.ts";
import type { Breakers } from "./breakers.ts";
import { openSecret } from "./endpoints.ts";
import { recordAttempt } from "./record-attempt.ts";

export type { DueDelivery } from "../../db/queries/webhooks/due-deliveries.ts";

/** Of the 256 slots of a worker: a quarter for a tenant, half of that for its test environment. */
const limits = { perEndpoint: 8, perTenant: 64, perTestEnvironment: 32 };

/** Due deliveries, claimed up to the limits of their endpoints and tenants. */
export function dueDeliveries(runtime: Runtime, breakers: Breakers): DueRows<DueDelivery> {
  const { database } = runtime;
  return {
    table: "deliveries",
    idOf: (delivery) => delivery.id,
    versionOf: (delivery) => delivery.version,
    claim: (now, until, limit) =>
      claimDueDeliveries(database, now, until, limit, { ...limits, capped: breakers.capped() }),
    extend: (leased, until) => extendDeliveries(database, leased, until),
    release: (delivery, dueAt, failures) => releaseDelivery(database, delivery, dueAt, failures),
    parking: {
      failuresOf: ({ failures }) => failures,
      isRowFault,
      park: (delivery, parked) => {
        const now = runtime.clock.now();
        const attempt = { ...notMade, at: now.toISOString() };
        return runtime.transaction((tx) => parkDelivery(tx, delivery, attempt, { ...parked, now }));
      },
    },
  };
}

/** What the log shows of a delivery that is parked. */
const notMade: Omit<DeliveryAttempt, "at"> = {
  status_code: null,
  latency_ms: 0,
  error: "The service cannot send this event and has stopped trying. A replay tries again.",
  response_excerpt: null,
};

/** Attempts a delivery and reports the outcome to its endpoint's breaker. */
export async function attemptDelivery(
  runtime: Runtime,
  breakers: Breakers,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { endpointId } = delivery;
  breakers.attemptStarted(endpointId);
  let hasSucceeded = false;
  try {
    hasSucceeded = await deliver(runtime, delivery, signal);
  } finally {
    breakers.attemptEnded(endpointId, hasSucceeded);
  }
}

const connectTimeoutMs = 5_000;
const totalTimeoutMs = 15_000;
const maxReadBytes = 65_536;
const excerptBytes = 1_024;

/** Makes one attempt and records it. Returns whether the receiver accepted the event. */
async function deliver(
  runtime: Runtime,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<boolean> {
  const at = runtime.clock.now();
  const startedAt = performance.now();
  const sent = await send(runtime, delivery, at, signal);
  // How long it took to find nothing would tell a refused address from a silent one.
  const latencyMs = sent.error === "unreachable" ? 0 : Math.round(performance.now() - startedAt);
  const attempt: DeliveryAttempt = {
    at: at.toISOString(),
    status_code: sent.response?.status ?? null,
    latency_ms: latencyMs,
    error: sent.error,
    response_excerpt: sent.response ? excerpt(sent.response.body) : null,
  };
  const result = toAttemptResult(sent.response, runtime.clock.now());
  await recordAttempt(runtime, delivery, attempt, result);
  return isSuccess(result);
}

interface Sent {
  readonly response: EgressResponse | null;
  readonly error: DeliveryError | null;
}

async function send(
  runtime: Runtime,
  delivery: DueDelivery,
  at: Date,
  signal: AbortSignal,
): Promise<Sent> {
  const { body, headers } = formatMessage(runtime, delivery, at);
  try {
    const response = await runtime.webhookEgress.request(openUrl(runtime, delivery), {
      method: "POST",
      headers,
      body,
      schemes: delivery.environment === "test" ? ["http", "https"] : ["https"],
      connectTimeoutMs,
      totalTimeoutMs,
      maxBytes: maxReadBytes,
      owner: delivery.tenantId,
      signal,
    });
    return { response, error: null };
  } catch (error) {
    if (!(error instanceof EgressError) || error.kind === "aborted") throw error;
    const { endpointId } = delivery;
    runtime.log.debug({ endpointId, kind: error.kind, reason: error.message }, "delivery failed");
    return { response: null, error: deliveryError(error) };
  }
}

interface Message {
  readonly body: string;
  readonly headers: Record<string, string>;
}

function formatMessage(runtime: Runtime, delivery: DueDelivery, at: Date): Message {
  const { eventId, eventType } = delivery;
  const attempt = delivery.attemptsMade + 1;
  const secrets = openSecrets(runtime, delivery, at);
  if (delivery.format === "cloudflare") {
    return {
      body: cloudflareNotification(delivery.body, delivery),
      headers: cloudflareHeaders({ eventId, attempt, ...secrets }),
    };
  }
  const { body } = delivery;
  return { body, headers: signatureHeaders({ eventId, eventType, attempt, body, at, ...secrets }) };
}

const publicErrors: Readonly<Record<EgressError["kind"], DeliveryError>> = {
  refused_address: "unreachable",
  refused_url: "url_refused",
  dns: "unreachable",
  timeout: "timeout",
  tls: "tls_failed",
  connect: "connection_failed",
  too_large: "connection_failed",
  aborted: "connection_failed",
};

function deliveryError({ kind, isPublic }: EgressError): DeliveryError {
  return isPublic || kind === "refused_url" ? publicErrors[kind] : "unreachable";
}

function openUrl({ vault }: Runtime, delivery: DueDelivery): string {
  const { url, sealedUrl, tenantId, endpointId } = delivery;
  return sealedUrl === null
    ? url
    : openSecret(vault, sealedUrl, tenantId, endpointId, "sealed_url");
}

function openSecrets(
  runtime: Runtime,
  delivery: DueDelivery,
  at: Date,
): { readonly secret: string; readonly previousSecret: string | null } {
  const { vault } = runtime;
  const { tenantId, endpointId, sealedSecret, sealedPreviousSecret, previousUntil } = delivery;
  const isOverlapping = previousUntil !== null && previousUntil > at;
  return {
    secret: openSecret(vault, sealedSecret, tenantId, endpointId, "sealed_secret"),
    previousSecret:
      isOverlapping && sealedPreviousSecret
        ? openSecret(vault, sealedPreviousSecret, tenantId, endpointId, "sealed_previous_secret")
        : null,
  };
}

function toAttemptResult(response: EgressResponse | null, now: Date): AttemptResult {
  if (!response) return { kind: "failed" };
  return {
    kind: "answered",
    status: response.status,
    retryAfterSeconds: parseRetryAfter(response.headers.get("retry-after"), now),
  };
}

/** The first KiB as text. */
function excerpt(body: Buffer): string {
  return foreignText(body.subarray(0, excerptBytes).toString("utf8"));
}
