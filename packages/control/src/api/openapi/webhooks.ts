import type { z } from "zod";
import {
  contestSnapshot,
  type DesiredRecord,
  type VisibleConnection,
} from "../../domain/connections/connection.ts";
import type { SendingState } from "../../domain/sending/sending.ts";
import {
  type AnyEventType,
  applicationEventBody,
  type CredentialEventType,
  type EventType,
  eventBody,
} from "../../domain/webhooks/event.ts";
import { eventSchemas, WebhookEventBody } from "../events/events.ts";
import type { Route } from "../http/route.ts";
import { toSchema } from "./json-schema.ts";

const summaries: Readonly<Record<AnyEventType, string>> = {
  "domain.added": "A connection was created",
  "domain.verified": "Ownership of the hostname was proven",
  "ssl.issued": "A certificate is in place",
  "domain.flow.completed": "The connection is live for the first time",
  "domain.stalled": "The records of a proven hostname are not all there, for longer than usual",
  "domain.drift": "The records of a live connection were changed or removed",
  "domain.restored": "The records of a drifted connection are right again",
  "domain.records_changed": "A live connection needs other records; it is served meanwhile",
  "domain.failed": "A step took too long; `error_code` says which",
  "domain.archived": "The connection has ended and its hostname is free",
  "domain.dangling":
    "The name of an archived connection still resolves to the service; once for each archive",
  "domain.contested": "Somebody else has proven the hostname: prove it again before the deadline",
  "domain.changed":
    "Its redirect or origin was changed, or a stalled connection goes on; `data.changed` names the fields",
  "domain.ready": "A cut-over is prepared: the name can be switched without an outage",
  "domain.switching": "The records of a cut-over are changing",
  "domain.reverted": "A cut-over was taken back; the old records are restored",
  "domain.expiring":
    "The registration of the domain ends in 30, 7 or 1 days; once each for every date",
  "domain.contest_won": "A contest has ended and the connection keeps its hostname",
  "certificate.at_risk": "The certificate of a live connection may not be renewed in time",
  "certificate.expired": "The certificate has expired or was revoked, without a successor",
  "certificate.recovered": "The certificate is in order again",
  "certificate.foreign":
    "Somebody else obtained a certificate for the hostname, as a certificate transparency log shows; once each",
  "origin.unreachable": "The edge cannot reach the origin, or it answers 502 to 504",
  "origin.recovered": "The origin answers again",
  "sending.ready":
    "The records of a sending domain are right: the service accepts it when it checks next",
  "sending.accepted": "The service for sending mail says that it sends for the domain",
  "sending.broken": "A record of a sending domain is gone or changed",
  "credential.failing": "A DNS provider refuses a stored credential; at most once a day",
  "credential.recovered": "The provider accepts the stored credential again",
  "endpoint.disabled": "A webhook endpoint was switched off by the service",
  "endpoint.test": "A test event, asked for through the API",
};

/**
 * The `webhooks` of the OpenAPI document: one kind of event each, with its schema and an example.
 */
export function webhooks(components: Map<string, unknown>): object {
  toSchema(WebhookEventBody, "output", components);
  return Object.fromEntries(
    Object.entries(eventSchemas).map(([type, schema]) => [
      type,
      { post: operation(asType(type), schema, components) },
    ]),
  );
}

/** Of the operation that registers a receiver: what the service then posts to its URL. */
export function deliveryCallbacks(
  { method, path }: Pick<Route, "method" | "path">,
  components: Map<string, unknown>,
): object {
  if (method !== "POST" || path !== "/v1/webhook-endpoints") return {};
  const post = {
    operationId: "deliver_event",
    tags: ["Events"],
    summary: "A delivery of any kind of event",
    description: "See the webhooks of this document for each kind.",
    security: [],
    parameters: headers,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: toSchema(WebhookEventBody, "output", components),
          example: eventExample("domain.flow.completed"),
        },
      },
    },
    responses: deliveryResponses,
  };
  return { callbacks: { delivery: { "{$request.body#/url}": { post } } } };
}

const deliveryResponses = {
  "2XX": { description: "Accepted; the delivery is done" },
  410: { description: "The receiver no longer exists: the endpoint is switched off" },
  default: { description: "Tried again later; redirects are not followed" },
};

/** The keys of the schemas are the kinds; `Object.entries` types them as strings. */
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
          schema: toSchema(schema, "output", components),
          example: eventExample(type),
        },
      },
    },
    responses: deliveryResponses,
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

const id = "0199a3c2-5d70-7c11-8b6e-2f9a41d7e035";
const applicationId = "0198f0aa-1b20-7e44-9c55-70d1f3b8a612";
const at = new Date("2026-11-15T09:30:12.480Z");

const connection: VisibleConnection = {
  id: "0199a3b9-8e04-7d2a-a1f3-5c6b7d8e9f01",
  applicationId,
  environment: "live",
  hostname: "shop.example.com",
  kind: "subdomain",
  setupType: "manual",
  state: "live",
  provider: "cloudflare",
  batchId: null,
  errorCode: null,
  contest: null,
  redirectTo: null,
  originUrl: null,
  originHostHeader: null,
  customerRef: "customer-42",
  cutover: null,
  createdAt: new Date("2026-11-15T09:20:41.092Z"),
};

const contest = {
  since: new Date("2026-11-15T09:30:12.480Z"),
  deadline: new Date("2026-11-18T09:30:12.480Z"),
};
const challenge = {
  name: "_service-challenge.shop.example.com",
  value: "service-verify=Zk3mQ0aVxw5h2JYbT8cRr1uLQf6nPp4sDd7eGg9iKkM",
};

function cname(value: string): DesiredRecord {
  return { host: "shop.example.com", type: "CNAME", value, ttl: 300, priority: null };
}

/**
 * Per kind: position in the sequence, how the connection differs from the example, further data.
 */
const specifics: Readonly<
  Record<
    EventType,
    {
      readonly sequence: number;
      readonly change?: Partial<VisibleConnection>;
      readonly data?: object;
    }
  >
> = {
  "domain.added": { sequence: 1, change: { state: "pending_ownership" } },
  "domain.verified": { sequence: 2, change: { state: "verified" } },
  "ssl.issued": {
    sequence: 3,
    data: {
      renewal: false,
      certificate: {
        ca: "Let's Encrypt",
        source: "automatic",
        not_after: "2027-02-13T08:30:11.000Z",
      },
    },
  },
  "domain.flow.completed": { sequence: 4 },
  "domain.stalled": { sequence: 3, change: { state: "stalled", errorCode: "record_missing" } },
  "domain.drift": { sequence: 5, change: { state: "drifted", errorCode: "record_mismatch" } },
  "domain.restored": { sequence: 6 },
  "domain.records_changed": {
    sequence: 7,
    change: { errorCode: "records_changed" },
    data: {
      desired_records: [cname("edge.example.net")],
      pending_records: [cname("eu.edge.example.net")],
    },
  },
  "domain.failed": { sequence: 2, change: { state: "failed", errorCode: "ownership_timeout" } },
  "domain.archived": { sequence: 8, change: { state: "archived" }, data: { reason: "deleted" } },
  "domain.dangling": {
    sequence: 9,
    change: { state: "archived" },
    data: {
      records: [{ host: "shop.example.com", type: "CNAME", value: "edge.example.net" }],
      archived_at: "2026-11-13T15:02:51.318Z",
    },
  },
  "domain.contested": {
    sequence: 14,
    change: { contest },
    data: {
      contest: contestSnapshot(contest),
      ownership_challenge: challenge,
      proof_records: [{ method: "cname", ...cname("edge.example.net") }],
    },
  },
  "domain.contest_won": {
    sequence: 15,
    data: { contest: contestSnapshot(contest), reason: "proven" },
  },
  "domain.changed": {
    sequence: 16,
    change: { redirectTo: "www.example.com" },
    data: { changed: ["redirect_to"] },
  },
  "domain.ready": { sequence: 3, change: { state: "propagating" } },
  "domain.switching": { sequence: 4, change: { state: "propagating" } },
  "domain.reverted": { sequence: 7, change: { state: "propagating" } },
  "domain.expiring": {
    sequence: 20,
    data: {
      registration: {
        expires_at: "2026-12-15T09:00:00.000Z",
        status: ["clientTransferProhibited"],
        registrar: "Example Registrar, Inc.",
        checked_at: "2026-11-15T04:12:08.000Z",
      },
    },
  },
  "certificate.at_risk": {
    sequence: 9,
    change: { errorCode: "certificate_at_risk" },
    data: certificateData("renewal_failed"),
  },
  "certificate.expired": {
    sequence: 10,
    change: { errorCode: "certificate_expired" },
    data: certificateData("expired"),
  },
  "certificate.recovered": { sequence: 11, data: certificateData(null) },
  "certificate.foreign": {
    sequence: 20,
    data: {
      issuer: "CN=Example Issuing R1, O=Example Trust, C=NL",
      serial: "8ff1c02a9a6be0be01",
      not_before: "2026-11-15T08:30:11.000Z",
      names: ["shop.example.com", "www.shop.example.com"],
      log: "Example log 2026h2",
    },
  },
  "origin.unreachable": { sequence: 12, change: { errorCode: "origin_unreachable" } },
  "origin.recovered": { sequence: 13 },
  "sending.ready": { sequence: 17, data: sendingData("ready") },
  "sending.accepted": { sequence: 18, data: sendingData("accepted") },
  "sending.broken": { sequence: 19, data: sendingData("broken") },
};

function sendingData(status: SendingState): object {
  const target = "s1.domainkey.u1234567.wl123.sendgrid.net";
  const missing = { ...cname(target), host: "s1._domainkey.example.com" };
  return {
    sending: {
      provider: "sendgrid",
      domain: "example.com",
      status,
      missing: status === "broken" ? [missing] : [],
    },
  };
}

function certificateData(reason: string | null): object {
  const not_after = "2026-12-01T08:00:00.000Z";
  return { certificate: { not_after, reason, next_attempt_at: "2026-11-15T11:10:12.000Z" } };
}

function credentialData(type: CredentialEventType): object {
  const kind = type === "credential.failing" ? "auth" : null;
  const id = "0198f0c7-3a51-7b08-9e64-1d2c3b4a5f60";
  return { credential: { id, provider: "cloudflare", name: "DNS token", kind } };
}

/** A documented example, written by the functions that write events. */
export function eventExample(type: AnyEventType): unknown {
  return JSON.parse(exampleText(type));
}

function exampleText(type: AnyEventType): string {
  const about = { id, at, applicationId, environment: "live", connection: null } as const;
  if (type === "endpoint.test") return applicationEventBody({ ...about, type, data: {} });
  if (type === "credential.failing" || type === "credential.recovered") {
    return applicationEventBody({ ...about, type, connection, data: credentialData(type) });
  }
  if (type === "endpoint.disabled") {
    const endpoint = {
      id: "0198f0b1-77c3-7a90-8d2e-6b5a4c3d2e1f",
      url: "https://app.example.com/webhooks",
      disabled_reason: "failing",
    };
    return applicationEventBody({ ...about, type, data: { endpoint } });
  }
  const { sequence, change = {}, data = {} } = specifics[type];
  return eventBody({ id, at, type, sequence, connection: { ...connection, ...change }, data });
}
