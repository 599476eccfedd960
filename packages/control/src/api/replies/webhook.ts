import { z } from "zod";
import { subscribableTypes } from "../../domain/event.ts";
import type { Delivery, WebhookEndpoint } from "../../domain/webhook.ts";
import { Time, time, timeOrNull, Uuid } from "./time.ts";

const fields = {
  id: Uuid,
  application_id: Uuid,
  url: z.string().meta({ format: "uri" }),
  events: z.array(z.enum([...subscribableTypes, "*"])),
  active: z.boolean(),
  disabled_reason: z
    .enum(["gone", "failing"])
    .nullable()
    .describe("Why it was switched off: it answered 410, or failed for five days"),
  created_at: Time,
};

export const EndpointBody = z.object(fields).meta({ id: "WebhookEndpoint" });
export const EndpointSecretBody = z
  .object({ ...fields, signing_secret: z.string().describe("Shown on create and rotate only") })
  .meta({ id: "WebhookEndpointWithSecret" });

export function endpointBody(endpoint: WebhookEndpoint): z.input<typeof EndpointBody> {
  return {
    id: endpoint.id,
    application_id: endpoint.applicationId,
    url: endpoint.url,
    events: [...endpoint.events],
    active: endpoint.active,
    disabled_reason: endpoint.disabledReason,
    created_at: time(endpoint.createdAt),
  };
}

export const DeliveryBody = z
  .object({
    id: Uuid,
    event_id: Uuid,
    event_type: z.string(),
    endpoint_id: Uuid,
    status: z.enum(["pending", "delivered", "failed", "exhausted"]),
    attempts: z.array(
      z.object({
        at: Time,
        status_code: z.int().nullable(),
        latency_ms: z.int(),
        error: z.string().nullable(),
        response_excerpt: z.string().nullable(),
      }),
    ),
    next_attempt_at: Time.nullable(),
    created_at: Time,
  })
  .meta({ id: "Delivery" });

export function deliveryBody(delivery: Delivery): z.input<typeof DeliveryBody> {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    endpoint_id: delivery.endpointId,
    status: delivery.status,
    attempts: delivery.attempts.map((attempt) => ({ ...attempt })),
    next_attempt_at: timeOrNull(delivery.nextAttemptAt),
    created_at: time(delivery.createdAt),
  };
}
