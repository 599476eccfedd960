import { z } from "zod";
import { subscribableTypes } from "../../domain/webhooks/event.ts";
import {
  type Delivery,
  endpointFormats,
  type WebhookEndpoint,
} from "../../domain/webhooks/webhook.ts";
import { pageQuery } from "../../services/paging.ts";
import {
  listDeliveries,
  replayAll,
  replayOne,
  sendTest,
} from "../../services/webhooks/deliveries.ts";
import {
  CreateEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  ListEndpoints,
  listEndpoints,
  ReplaySince,
  rotateSecret,
  UpdateEndpoint,
  updateEndpoint,
} from "../../services/webhooks/endpoints.ts";
import {
  defineRoute,
  IdParams,
  listing,
  listSchema,
  Time,
  time,
  timeOrNull,
  Uuid,
} from "../http/route.ts";

const fields = {
  id: Uuid,
  application_id: Uuid,
  url: z
    .string()
    .meta({ format: "uri" })
    .describe(
      "What may be a secret in it is shown on create only: later values of the query and long random parts are masked",
    ),
  events: z.array(z.enum([...subscribableTypes, "*"])),
  format: z.enum(endpointFormats).describe("How events are sent"),
  active: z.boolean(),
  disabled_reason: z
    .enum(["gone", "failing"])
    .nullable()
    .describe("Why it was switched off: it answered 410, or failed for five days"),
  replay: z
    .object({
      since: Time,
      replayed: z.int().describe("Events that have been queued so far"),
      complete: z.boolean(),
    })
    .nullable()
    .describe("The last replay since a time; null when there was none"),
  created_at: Time,
};

const EndpointBody = z.object(fields).meta({ id: "WebhookEndpoint" });
const EndpointSecretBody = z
  .object({ ...fields, signing_secret: z.string().describe("Shown on create and rotate only") })
  .meta({ id: "WebhookEndpointWithSecret" });

function endpointBody(endpoint: WebhookEndpoint): z.input<typeof EndpointBody> {
  return {
    id: endpoint.id,
    application_id: endpoint.applicationId,
    url: endpoint.url,
    events: [...endpoint.events],
    format: endpoint.format,
    active: endpoint.active,
    disabled_reason: endpoint.disabledReason,
    replay: endpoint.replay && { ...endpoint.replay, since: time(endpoint.replay.since) },
    created_at: time(endpoint.createdAt),
  };
}

export const deliveryFields = {
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
      error: z
        .string()
        .nullable()
        .describe(
          "Why there was no answer: unreachable, timeout, connection_failed, tls_failed or url_refused",
        ),
      response_excerpt: z.string().nullable(),
    }),
  ),
  next_attempt_at: Time.nullable(),
  created_at: Time,
};

export const DeliveryBody = z.object(deliveryFields).meta({ id: "Delivery" });

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

export const createEndpointRoute = defineRoute({
  method: "POST",
  path: "/v1/webhook-endpoints",
  tag: "Webhooks",
  summary: "Register a webhook receiver",
  description: "The signing secret is in this answer and never shown again.",
  scopes: ["apps:admin", "webhooks:write"],
  role: "developer",
  body: CreateEndpoint,
  output: EndpointSecretBody,
  statuses: [201],
  errors: ["not_found"],
  run: (ctx, { body }) => createEndpoint(ctx, body),
  reply: ({ endpoint, secret }) => ({ ...endpointBody(endpoint), signing_secret: secret }),
});

export const listEndpointsRoute = defineRoute({
  method: "GET",
  path: "/v1/webhook-endpoints",
  tag: "Webhooks",
  summary: "List webhook receivers, newest first",
  scopes: ["apps:admin", "webhooks:write"],
  role: "viewer",
  query: ListEndpoints,
  output: listSchema(EndpointBody),
  statuses: [200],
  run: (ctx, { query }) => listEndpoints(ctx, query),
  reply: (page) => listing(page, endpointBody),
});

export const getEndpointRoute = defineRoute({
  method: "GET",
  path: "/v1/webhook-endpoints/{id}",
  tag: "Webhooks",
  summary: "Read one webhook receiver",
  scopes: ["apps:admin", "webhooks:write"],
  role: "viewer",
  params: IdParams,
  output: EndpointBody,
  statuses: [200],
  run: (ctx, { params }) => getEndpoint(ctx, params.id),
  reply: endpointBody,
});

export const updateEndpointRoute = defineRoute({
  method: "PATCH",
  path: "/v1/webhook-endpoints/{id}",
  tag: "Webhooks",
  summary: "Change a webhook receiver, or switch it off and on",
  scopes: ["apps:admin", "webhooks:write"],
  role: "developer",
  params: IdParams,
  body: UpdateEndpoint,
  output: EndpointBody,
  statuses: [200],
  run: (ctx, { params, body }) => updateEndpoint(ctx, params.id, body),
  reply: endpointBody,
});

export const deleteEndpointRoute = defineRoute({
  method: "DELETE",
  path: "/v1/webhook-endpoints/{id}",
  tag: "Webhooks",
  summary: "Delete a webhook receiver with its log",
  scopes: ["apps:admin", "webhooks:write"],
  role: "developer",
  params: IdParams,
  output: null,
  statuses: [204],
  run: (ctx, { params }) => deleteEndpoint(ctx, params.id),
  reply: () => null,
});

export const rotateEndpointSecretRoute = defineRoute({
  method: "POST",
  path: "/v1/webhook-endpoints/{id}/rotate-secret",
  tag: "Webhooks",
  summary: "Give a receiver a new signing secret",
  description: "The new one signs at once; for 24 hours the old one signs too.",
  scopes: ["apps:admin", "webhooks:write"],
  role: "developer",
  params: IdParams,
  output: EndpointSecretBody,
  statuses: [200],
  run: (ctx, { params }) => rotateSecret(ctx, params.id),
  reply: ({ endpoint, secret }) => ({ ...endpointBody(endpoint), signing_secret: secret }),
});

export const sendTestRoute = defineRoute({
  method: "POST",
  path: "/v1/webhook-endpoints/{id}/test",
  tag: "Webhooks",
  summary: "Send a test event to a receiver",
  scopes: ["apps:admin", "webhooks:write"],
  role: "developer",
  params: IdParams,
  output: DeliveryBody,
  statuses: [200],
  run: (ctx, { params }) => sendTest(ctx, params.id),
  reply: deliveryBody,
});

export const listDeliveriesRoute = defineRoute({
  method: "GET",
  path: "/v1/webhook-endpoints/{id}/deliveries",
  tag: "Webhooks",
  summary: "The delivery log of a receiver, with every attempt",
  scopes: ["apps:admin", "webhooks:write"],
  role: "viewer",
  params: IdParams,
  query: z.strictObject(pageQuery),
  output: listSchema(DeliveryBody),
  statuses: [200],
  run: (ctx, { params, query }) => listDeliveries(ctx, params.id, query),
  reply: (page) => listing(page, deliveryBody),
});

export const replayDeliveryRoute = defineRoute({
  method: "POST",
  path: "/v1/webhook-endpoints/{id}/deliveries/{deliveryId}/replay",
  tag: "Webhooks",
  summary: "Send one delivery again",
  description: "Same event id and bytes, signed with a fresh timestamp.",
  scopes: ["apps:admin", "webhooks:write"],
  role: "support",
  params: z.strictObject({ id: z.uuid(), deliveryId: z.uuid() }),
  output: DeliveryBody,
  statuses: [200],
  errors: ["conflict"],
  run: (ctx, { params }) => replayOne(ctx, params.id, params.deliveryId),
  reply: deliveryBody,
});

export const replaySinceRoute = defineRoute({
  method: "POST",
  path: "/v1/webhook-endpoints/{id}/replay",
  tag: "Webhooks",
  summary: "Send every event since a time again",
  description:
    "The first thousand events are queued at once. When there are more, `complete` is false, and the receiver's `replay` shows the progress.",
  scopes: ["apps:admin", "webhooks:write"],
  role: "support",
  params: IdParams,
  body: ReplaySince,
  output: z
    .object({
      replayed: z.int().describe("Events that have been queued so far"),
      complete: z.boolean(),
    })
    .meta({ id: "ReplayResult" }),
  statuses: [200],
  errors: ["conflict"],
  run: (ctx, { params, body }) => replayAll(ctx, params.id, body),
  reply: ({ replayed, complete }) => ({ replayed, complete }),
});
