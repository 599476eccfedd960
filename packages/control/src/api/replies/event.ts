import { z } from "zod";
import { disabledEventType, type eventTypes, testEventType } from "../../domain/event.ts";
import { environments } from "../../domain/tenancy.ts";
import type { StoredEvent } from "../../services/events.ts";
import { ConnectionBody } from "./connection.ts";
import { Time, Uuid } from "./time.ts";

/** Every event's envelope; `data` is the kind's own. */
function envelope<T extends z.ZodType, D extends z.ZodType>(type: T, data: D) {
  return {
    id: Uuid.describe("The same over retries and replays: keep it to handle an event once"),
    type,
    created_at: Time,
    application_id: Uuid,
    environment: z.enum(environments),
    sequence: z
      .int()
      .describe("Counts per connection, since deliveries may arrive out of order; otherwise 0"),
    data,
  };
}

const noConnection = z.null().describe("Belongs to no connection");

function ofConnection<T extends string>(type: T, more: z.ZodRawShape = {}) {
  return z
    .object(envelope(z.literal(type), z.object({ connection: ConnectionBody, ...more })))
    .meta({ id: schemaName(type) });
}

/** `domain.flow.completed` → `DomainFlowCompletedEvent` */
function schemaName(type: string): string {
  const words = type.split(".").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

const archived = {
  reason: z
    .enum(["deleted", "taken_over"])
    .describe("Deleted through the API, or its hostname was proven by another connection"),
};

/** One schema for each kind there is. */
export const eventSchemas = {
  "domain.added": ofConnection("domain.added"),
  "domain.verified": ofConnection("domain.verified"),
  "ssl.issued": ofConnection("ssl.issued"),
  "domain.flow.completed": ofConnection("domain.flow.completed"),
  "domain.drift": ofConnection("domain.drift"),
  "domain.restored": ofConnection("domain.restored"),
  "domain.failed": ofConnection("domain.failed"),
  "domain.archived": ofConnection("domain.archived", archived),
  [disabledEventType]: z
    .object(
      envelope(
        z.literal(disabledEventType),
        z.object({
          connection: noConnection,
          endpoint: z.object({
            id: Uuid,
            url: z.string().meta({ format: "uri" }),
            disabled_reason: z.enum(["gone", "failing"]),
          }),
        }),
      ),
    )
    .meta({ id: schemaName(disabledEventType) }),
  [testEventType]: z
    .object(envelope(z.literal(testEventType), z.object({ connection: noConnection })))
    .meta({ id: schemaName(testEventType) }),
} as const satisfies Record<
  (typeof eventTypes)[number] | typeof disabledEventType | typeof testEventType,
  z.ZodType
>;

export const WebhookEventBody = z
  .discriminatedUnion("type", [
    eventSchemas["domain.added"],
    eventSchemas["domain.verified"],
    eventSchemas["ssl.issued"],
    eventSchemas["domain.flow.completed"],
    eventSchemas["domain.drift"],
    eventSchemas["domain.restored"],
    eventSchemas["domain.failed"],
    eventSchemas["domain.archived"],
    eventSchemas["endpoint.disabled"],
    eventSchemas["endpoint.test"],
  ])
  .meta({
    id: "WebhookEvent",
    description:
      "Any event, told apart by `type`. `data.connection` is the connection as it was when the event happened. New kinds may be added: ignore those that you do not know.",
  });

/** An event of a list. Its kind's own schema is among the webhooks. */
export const EventBody = z
  .object(envelope(z.string(), z.looseObject({ connection: ConnectionBody.nullable() })))
  .meta({ id: "EventEnvelope" });

/** The stored text is what was and will be delivered; it was made by `eventBody`, hence its shape. */
export function eventBodyOf(event: StoredEvent): z.input<typeof EventBody> {
  return JSON.parse(event.body) as z.input<typeof EventBody>;
}
