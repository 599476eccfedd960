import { connectionSnapshot, type VisibleConnection } from "./connection.ts";
import type { Environment } from "./tenancy.ts";

export const eventTypes = [
  "domain.added",
  "domain.verified",
  "ssl.issued",
  "domain.flow.completed",
  "domain.drift",
  "domain.restored",
  "domain.records_changed",
  "domain.failed",
  "domain.archived",
] as const;
export type EventType = (typeof eventTypes)[number];

/** The service switched an endpoint off; concerns no connection. */
export const disabledEventType = "endpoint.disabled";

/** What an endpoint can subscribe to. */
export const subscribableTypes = [...eventTypes, disabledEventType] as const;
export type SubscribableType = (typeof subscribableTypes)[number];

/** Sent on request to test an endpoint. */
export const testEventType = "endpoint.test";

export type AnyEventType = SubscribableType | typeof testEventType;

/** The body of an event, rendered once; every delivery sends these bytes. */
export function eventBody(event: {
  readonly id: string;
  readonly type: EventType;
  readonly at: Date;
  readonly sequence: number;
  readonly connection: VisibleConnection;
  readonly data: object;
}): string {
  return JSON.stringify({
    id: event.id,
    type: event.type,
    created_at: event.at.toISOString(),
    application_id: event.connection.applicationId,
    environment: event.connection.environment,
    sequence: event.sequence,
    data: { connection: connectionSnapshot(event.connection), ...event.data },
  });
}

/** The body of an event about an endpoint: without a connection, and sequence 0. */
export function endpointEventBody(event: {
  readonly id: string;
  readonly type: typeof disabledEventType | typeof testEventType;
  readonly at: Date;
  readonly applicationId: string;
  readonly environment: Environment;
  readonly data: object;
}): string {
  return JSON.stringify({
    id: event.id,
    type: event.type,
    created_at: event.at.toISOString(),
    application_id: event.applicationId,
    environment: event.environment,
    sequence: 0,
    data: { connection: null, ...event.data },
  });
}
