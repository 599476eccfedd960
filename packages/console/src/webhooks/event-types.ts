import type { WebhookEndpoint } from "@mooring/sdk";

export type EventType = Exclude<WebhookEndpoint["events"][number], "*">;

/** Typed by the API's own list: one that is missing here, or of another spelling, does not compile. */
const known: Readonly<Record<EventType, true>> = {
  "domain.added": true,
  "domain.verified": true,
  "ssl.issued": true,
  "domain.flow.completed": true,
  "domain.drift": true,
  "domain.restored": true,
  "domain.records_changed": true,
  "domain.failed": true,
  "domain.archived": true,
  "domain.contested": true,
  "domain.contest_won": true,
  "domain.changed": true,
  "domain.ready": true,
  "domain.switching": true,
  "domain.reverted": true,
  "certificate.at_risk": true,
  "certificate.expired": true,
  "certificate.recovered": true,
  "origin.unreachable": true,
  "origin.recovered": true,
  "sending.ready": true,
  "sending.accepted": true,
  "sending.broken": true,
  "credential.failing": true,
  "credential.recovered": true,
  "endpoint.disabled": true,
};

export const eventTypes = Object.keys(known).filter((type): type is EventType =>
  Object.hasOwn(known, type),
);
