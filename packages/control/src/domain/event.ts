import type { Connection } from "./connection.ts";
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

/** Sent on request to try an endpoint; tells of nothing. */
export const testEventType = "endpoint.test";
export type TestEventType = typeof testEventType;

/** The connection as the API shows it, at the moment of the event. */
export function connectionSnapshot(connection: Connection) {
  return {
    id: connection.id,
    application_id: connection.applicationId,
    hostname: connection.hostname,
    kind: connection.kind,
    setup_type: connection.setupType,
    state: connection.state,
    provider: connection.provider,
    batch_id: connection.batchId,
    error_code: connection.errorCode,
    created_at: connection.createdAt.toISOString(),
  };
}

/** The body of an event, made once; deliveries send these very bytes. */
export function eventBody(event: {
  readonly id: string;
  readonly type: EventType;
  readonly at: Date;
  readonly sequence: number;
  readonly connection: Connection;
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

export function testEventBody(event: {
  readonly id: string;
  readonly at: Date;
  readonly applicationId: string;
  readonly environment: Environment;
}): string {
  return JSON.stringify({
    id: event.id,
    type: testEventType,
    created_at: event.at.toISOString(),
    application_id: event.applicationId,
    environment: event.environment,
    sequence: 0,
    data: { connection: null },
  });
}
