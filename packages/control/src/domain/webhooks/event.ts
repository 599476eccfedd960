import { connectionSnapshot, type VisibleConnection } from "../connections/connection.ts";
import type { Environment } from "../tenancy.ts";

export const eventTypes = [
  "domain.added",
  "domain.verified",
  "ssl.issued",
  "domain.flow.completed",
  "domain.stalled",
  "domain.drift",
  "domain.restored",
  "domain.records_changed",
  "domain.failed",
  "domain.archived",
  "domain.dangling",
  "domain.contested",
  "domain.contest_won",
  "domain.changed",
  "domain.ready",
  "domain.switching",
  "domain.reverted",
  "domain.expiring",
  "certificate.at_risk",
  "certificate.expired",
  "certificate.recovered",
  "certificate.foreign",
  "origin.unreachable",
  "origin.recovered",
  "sending.ready",
  "sending.accepted",
  "sending.broken",
] as const;
export type EventType = (typeof eventTypes)[number];

/** The service switched an endpoint off; concerns no connection. */
export const disabledEventType = "endpoint.disabled";

/** A stored credential stopped working, or works again; may concern no connection. */
export const credentialEventTypes = ["credential.failing", "credential.recovered"] as const;
export type CredentialEventType = (typeof credentialEventTypes)[number];

/** What an endpoint can subscribe to. */
export const subscribableTypes = [
  ...eventTypes,
  ...credentialEventTypes,
  disabledEventType,
] as const;
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

/** Events that belong to an application rather than to one of its connections. */
export type ApplicationEventType =
  | CredentialEventType
  | typeof disabledEventType
  | typeof testEventType;

/**
 * The body of an event of an application: sequence 0, and a connection only where one is affected.
 */
export function applicationEventBody(event: {
  readonly id: string;
  readonly type: ApplicationEventType;
  readonly at: Date;
  readonly applicationId: string;
  readonly environment: Environment;
  readonly connection: VisibleConnection | null;
  readonly data: object;
}): string {
  const { connection } = event;
  return JSON.stringify({
    id: event.id,
    type: event.type,
    created_at: event.at.toISOString(),
    application_id: event.applicationId,
    environment: event.environment,
    sequence: 0,
    data: { connection: connection && connectionSnapshot(connection), ...event.data },
  });
}
