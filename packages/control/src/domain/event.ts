import { connectionSnapshot, type VisibleConnection } from "./connection.ts";
import type { Environment } from "./tenancy.ts";

export const eventTypes = [
  "domain.added",
  "domain.verified",
  "ssl.issued",
  "domain.flow.completed",
  "domain.drift",
  "domain.restored",
  "domain.failed",
  "domain.archived",
] as const;
export type EventType = (typeof eventTypes)[number];

/** An endpoint was switched off by the service; tells of no connection. */
export const disabledEventType = "endpoint.disabled";

/** What an endpoint can ask for. */
export const subscribableTypes = [...eventTypes, disabledEventType] as const;
export type SubscribableType = (typeof subscribableTypes)[number];

/** Sent on request to try an endpoint; tells of nothing. */
export const testEventType = "endpoint.test";

export type AnyEventType = SubscribableType | typeof testEventType;

/** The body of an event, made once; deliveries send these very bytes. */
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

/** The body of an event about an endpoint: no connection, and no place in one's sequence. */
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
