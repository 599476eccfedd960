import { EgressError, type EgressResponse } from "@mooring/egress";
import { pauseDeliveries } from "../../db/deliveries.ts";
import { type DueDelivery, writeAttempt } from "../../db/due-deliveries.ts";
import { noteDelivery } from "../../db/events.ts";
import { inTransaction } from "../../db/transaction.ts";
import { noteEndpointResult } from "../../db/webhook-endpoints.ts";
import { type AttemptResult, afterAttempt, type DeliveryAttempt } from "../../domain/webhook.ts";
import { signatureHeaders } from "../../domain/webhook-signature.ts";
import type { Runtime } from "../runtime.ts";
import { openSecret } from "./secret.ts";

const connectTimeoutMs = 5_000;
const totalTimeoutMs = 15_000;
const maxReadBytes = 65_536;
const excerptBytes = 1_024;

/** One attempt at one delivery, and its outcome on record. Answers whether the receiver took it. */
export async function deliver(
  runtime: Runtime,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<boolean> {
  const at = runtime.clock.now();
  const startedAt = performance.now();
  const sent = await send(runtime, delivery, at, signal);
  const attempt: DeliveryAttempt = {
    at: at.toISOString(),
    status_code: sent.response?.status ?? null,
    latency_ms: Math.round(performance.now() - startedAt),
    error: sent.error,
    response_excerpt: sent.response ? excerpt(sent.response.body) : null,
  };
  const { failingSince, tries } = delivery;
  const decision = afterAttempt(resultOf(sent.response), {
    tries: tries + 1,
    failingForMs: failingSince ? at.getTime() - failingSince.getTime() : 0,
    random: Math.random(),
  });
  const now = runtime.clock.now();
  const dueAt = decision.nextInMs === null ? null : new Date(now.getTime() + decision.nextInMs);
  const hasSucceeded = decision.status === "delivered";
  await inTransaction(runtime.database.query, async (tx) => {
    // False: another worker has taken it over, and its attempt is the one that counts.
    if (!(await writeAttempt(tx, delivery, attempt, { status: decision.status, dueAt }))) return;
    await noteEndpointResult(tx, delivery.endpointId, {
      hasSucceeded,
      disables: decision.disables,
      now,
    });
    if (decision.disables) await pauseDeliveries(tx, delivery.endpointId);
    if (hasSucceeded || dueAt === null) await noteDelivery(tx, delivery, decision, now);
  });
  return hasSucceeded;
}

interface Sent {
  readonly response: EgressResponse | null;
  readonly error: string | null;
}

async function send(
  runtime: Runtime,
  delivery: DueDelivery,
  at: Date,
  signal: AbortSignal,
): Promise<Sent> {
  const headers = signatureHeaders({
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    attempt: delivery.attemptsMade + 1,
    body: delivery.body,
    at,
    ...secretsOf(runtime, delivery, at),
  });
  try {
    const response = await runtime.webhookEgress.request(delivery.url, {
      method: "POST",
      headers,
      body: delivery.body,
      schemes: delivery.environment === "test" ? ["http", "https"] : ["https"],
      connectTimeoutMs,
      totalTimeoutMs,
      maxBytes: maxReadBytes,
      signal,
    });
    return { response, error: null };
  } catch (error) {
    if (!(error instanceof EgressError) || error.kind === "aborted") throw error;
    return { response: null, error: error.message };
  }
}

function secretsOf(
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

function resultOf(response: EgressResponse | null): AttemptResult {
  if (!response) return { kind: "failed" };
  const asked = response.headers.get("retry-after");
  const seconds = asked !== null && /^\d{1,6}$/.test(asked) ? Number(asked) : null;
  return { kind: "answered", status: response.status, retryAfterSeconds: seconds };
}

/** The first KiB as text; a NUL cannot be stored. */
function excerpt(body: Buffer): string {
  return body.subarray(0, excerptBytes).toString("utf8").replaceAll("\u0000", "\ufffd");
}
