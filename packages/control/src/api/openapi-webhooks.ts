import type { z } from "zod";
import type { AnyEventType } from "../domain/event.ts";
import { schemaOf } from "./openapi-schema.ts";
import { eventSchemas, WebhookEventBody } from "./replies/event.ts";
import { eventExample } from "./replies/event-example.ts";

const summaries: Readonly<Record<AnyEventType, string>> = {
  "domain.added": "A connection was created",
  "domain.verified": "Ownership of the hostname was proven",
  "ssl.issued": "A certificate is in place",
  "domain.flow.completed": "The connection is live for the first time",
  "domain.drift": "The records of a live connection were changed or removed",
  "domain.restored": "The records of a drifted connection are right again",
  "domain.failed": "A step took too long; `error_code` says which",
  "domain.archived": "The connection has ended and its hostname is free",
  "endpoint.disabled": "A webhook endpoint was switched off by the service",
  "endpoint.test": "A test event, asked for through the API",
};

/** The `webhooks` of the OpenAPI document: one kind of event each, with its schema and an example. */
export function webhooks(components: Map<string, unknown>): object {
  schemaOf(WebhookEventBody, "output", components);
  return Object.fromEntries(
    Object.entries(eventSchemas).map(([type, schema]) => [
      type,
      { post: operation(asType(type), schema, components) },
    ]),
  );
}

/** The keys of the schemas are the kinds; `Object.entries` forgets it. */
function asType(type: string): AnyEventType {
  return type as AnyEventType;
}

function operation(type: AnyEventType, schema: z.ZodType, components: Map<string, unknown>) {
  return {
    operationId: `webhook_${type.replaceAll(".", "_")}`,
    tags: ["Events"],
    summary: summaries[type],
    security: [],
    parameters: headers,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: schemaOf(schema, "output", components),
          example: eventExample(type),
        },
      },
    },
    responses: {
      "2XX": { description: "Taken; the delivery is over" },
      410: { description: "The receiver is gone: the endpoint is switched off" },
      default: { description: "Tried again later; redirects are not followed" },
    },
  };
}

const headers = [
  header("X-Svc-Timestamp", "Unix seconds at signing; refuse what is more than 300 s away"),
  header(
    "X-Svc-Signature",
    "`sha256=` and the hex HMAC-SHA256 of `<timestamp>.<raw body>`, keyed with the signing secret",
  ),
  header("X-Svc-Signature-Previous", "The same with the secret before, for 24 h after a rotation"),
  header("X-Svc-Event-Id", "The event's `id`"),
  header("X-Svc-Event", "The event's `type`"),
  header("X-Svc-Attempt", "Counts the attempts at this delivery, from 1"),
  header("webhook-id", "As in Standard Webhooks: the event's `id`"),
  header("webhook-timestamp", "As in Standard Webhooks"),
  header("webhook-signature", "As in Standard Webhooks: `v1,<base64>`, two during a rotation"),
];

function header(name: string, description: string): object {
  const required = name !== "X-Svc-Signature-Previous";
  return { name, in: "header", required, description, schema: { type: "string" } };
}
