import { z } from "zod";
import { certificateSources } from "../../domain/certificates/certificate.ts";
import { proofMethods } from "../../domain/ownership/proof-methods.ts";
import { sendingStates } from "../../domain/sending/sending.ts";
import { environments } from "../../domain/tenancy.ts";
import {
  type AnyEventType,
  type CredentialEventType,
  disabledEventType,
  testEventType,
} from "../../domain/webhooks/event.ts";
import {
  ListTimeline,
  listTimeline,
  type ShownEntry,
} from "../../services/connections/timeline.ts";
import { ListEvents, listEvents, type StoredEvent } from "../../services/events/events.ts";
import { ChallengeBody, ConnectionBody } from "../connections/connections.ts";
import { ChangeBody, changeBody } from "../connections/records.ts";
import { RegistrationBody } from "../connections/registration.ts";
import {
  defineRoute,
  IdParams,
  listing,
  listSchema,
  RecordBody,
  Time,
  time,
  Uuid,
} from "../http/route.ts";
import { ActorBody, actorBody } from "../operator/audit.ts";

/** The envelope of every event; `data` depends on the kind. */
function envelope<T extends z.ZodType, D extends z.ZodType>(type: T, data: D) {
  return {
    id: Uuid.describe("The same over retries and replays: store it to handle an event once"),
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
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

const leftBehind = {
  records: z
    .array(z.object({ host: z.string(), type: z.enum(["A", "AAAA", "CNAME"]), value: z.string() }))
    .describe("What the customer has to remove"),
  archived_at: Time,
};

const archived = {
  reason: z
    .enum(["deleted", "taken_over", "contest_lost"])
    .describe(
      "Deleted through the API, or its hostname was proven by another connection: after it had drifted, or at the deadline of a contest",
    ),
};

const contest = { contest: z.object({ since: Time, deadline: Time }) };

const contested = {
  ...contest,
  ownership_challenge: ChallengeBody.describe(
    "The TXT record, which counts where `proof_records` has it",
  ),
  proof_records: z
    .array(z.object({ method: z.enum(proofMethods), ...RecordBody.shape }))
    .optional()
    .describe(
      "The records that the application takes as proof: any of them ends the contest once it is seen. Absent in events from before there were several",
    ),
};

const contestWon = {
  ...contest,
  reason: z
    .enum(["proven", "withdrawn"])
    .describe("Its own record was seen, or the other side's is gone"),
};

const changed = {
  changed: z
    .array(
      z.enum(["redirect_to", "origin_url", "origin_host_header", "customer_ref", "edge", "state"]),
    )
    .describe(
      "What is different now; a redirect ends by itself when its target is archived. `state`: the records of a stalled connection were seen",
    ),
};

const recordsChanged = {
  desired_records: z.array(RecordBody).describe("Those in DNS, which are still served"),
  pending_records: z.array(RecordBody).describe("Those to publish instead"),
};

const issued = {
  renewal: z.boolean().describe("The connection had a certificate before"),
  certificate: z.object({
    ca: z.string().nullable().describe("Its issuer; null where it is not known"),
    source: z
      .enum(certificateSources)
      .describe("`own`: brought by the tenant; `external`: of an edge that is not ours"),
    not_after: Time.nullable(),
  }),
};

const expiring = { registration: RegistrationBody };

/** A certificate in trouble; `reason` is null once it has recovered. */
const foreignCertificate = {
  issuer: z
    .string()
    .describe("The authority that issued it, such as `CN=R11, O=Let's Encrypt, C=US`"),
  serial: z.string().describe("Its serial number in hexadecimal; with the issuer it names it"),
  not_before: Time.describe("From when on it is valid"),
  names: z.array(z.string()).describe("Its DNS names, at most 100, first those of the connection"),
  log: z.string().describe("The log in which it was seen first, by its description"),
};

const certificate = {
  certificate: z.object({
    not_after: Time.nullable(),
    reason: z
      .enum([
        "expired",
        "revoked",
        "renewal_failed",
        "caa_forbidden",
        "validation_missing",
        "own_certificate_ends",
      ])
      .nullable(),
    next_attempt_at: Time.nullable().describe("When the renewal is tried next"),
  }),
};

function ofCredential<T extends CredentialEventType>(type: T) {
  const credential = z.object({
    id: Uuid,
    provider: z.string(),
    name: z.string(),
    kind: z
      .enum(["auth", "not_found", "rate_limited", "conflict", "unavailable", "unsupported"])
      .nullable()
      .describe("As in `provider_error`; null once it works again"),
  });
  const connection = ConnectionBody.nullable().describe("The connection that was affected, if any");
  return z
    .object(envelope(z.literal(type), z.object({ connection, credential })))
    .meta({ id: schemaName(type) });
}

const verified = {
  silent_servers: z
    .array(z.string())
    .optional()
    .describe("Nameservers that had been silent for so long that the others sufficed"),
};

/** A sending domain; `missing` are the records that the service does not find. */
const sending = {
  sending: z.object({
    provider: z.string(),
    domain: z.string(),
    status: z.enum(sendingStates),
    missing: z.array(RecordBody),
  }),
};

/** One schema for each kind of event. */
export const eventSchemas = {
  "domain.added": ofConnection("domain.added"),
  "domain.verified": ofConnection("domain.verified", verified),
  "ssl.issued": ofConnection("ssl.issued", issued),
  "domain.flow.completed": ofConnection("domain.flow.completed"),
  "domain.stalled": ofConnection("domain.stalled"),
  "domain.drift": ofConnection("domain.drift"),
  "domain.restored": ofConnection("domain.restored"),
  "domain.records_changed": ofConnection("domain.records_changed", recordsChanged),
  "domain.failed": ofConnection("domain.failed"),
  "domain.archived": ofConnection("domain.archived", archived),
  "domain.dangling": ofConnection("domain.dangling", leftBehind),
  "domain.contested": ofConnection("domain.contested", contested),
  "domain.contest_won": ofConnection("domain.contest_won", contestWon),
  "domain.changed": ofConnection("domain.changed", changed),
  "domain.ready": ofConnection("domain.ready"),
  "domain.switching": ofConnection("domain.switching"),
  "domain.reverted": ofConnection("domain.reverted"),
  "domain.expiring": ofConnection("domain.expiring", expiring),
  "certificate.at_risk": ofConnection("certificate.at_risk", certificate),
  "certificate.expired": ofConnection("certificate.expired", certificate),
  "certificate.recovered": ofConnection("certificate.recovered", certificate),
  "certificate.foreign": ofConnection("certificate.foreign", foreignCertificate),
  "origin.unreachable": ofConnection("origin.unreachable"),
  "origin.recovered": ofConnection("origin.recovered"),
  "sending.ready": ofConnection("sending.ready", sending),
  "sending.accepted": ofConnection("sending.accepted", sending),
  "sending.broken": ofConnection("sending.broken", sending),
  "credential.failing": ofCredential("credential.failing"),
  "credential.recovered": ofCredential("credential.recovered"),
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
} as const satisfies Record<AnyEventType, z.ZodType>;

export const WebhookEventBody = z
  .discriminatedUnion("type", [
    eventSchemas["domain.added"],
    eventSchemas["domain.verified"],
    eventSchemas["ssl.issued"],
    eventSchemas["domain.flow.completed"],
    eventSchemas["domain.stalled"],
    eventSchemas["domain.drift"],
    eventSchemas["domain.restored"],
    eventSchemas["domain.records_changed"],
    eventSchemas["domain.failed"],
    eventSchemas["domain.archived"],
    eventSchemas["domain.dangling"],
    eventSchemas["domain.contested"],
    eventSchemas["domain.contest_won"],
    eventSchemas["domain.changed"],
    eventSchemas["domain.ready"],
    eventSchemas["domain.switching"],
    eventSchemas["domain.reverted"],
    eventSchemas["domain.expiring"],
    eventSchemas["certificate.at_risk"],
    eventSchemas["certificate.expired"],
    eventSchemas["certificate.recovered"],
    eventSchemas["certificate.foreign"],
    eventSchemas["origin.unreachable"],
    eventSchemas["origin.recovered"],
    eventSchemas["sending.ready"],
    eventSchemas["sending.accepted"],
    eventSchemas["sending.broken"],
    eventSchemas["credential.failing"],
    eventSchemas["credential.recovered"],
    eventSchemas["endpoint.disabled"],
    eventSchemas["endpoint.test"],
  ])
  .meta({
    id: "WebhookEvent",
    description:
      "Any event, distinguished by `type`. `data.connection` is the connection as it was when the event happened. New kinds may be added: ignore those that you do not know.",
  });

/** An event in a list; `eventSchemas` has the schema of each kind. */
export const EventBody = z
  .object({
    ...envelope(z.string(), z.looseObject({ connection: ConnectionBody.nullable() })),
    customer_ref: z.string().nullable().describe("Of the connection"),
  })
  .meta({ id: "EventEnvelope" });

/** The stored text is what is delivered; `eventBody` of the domain wrote it in this shape. */
function parseEventBody(event: StoredEvent): z.input<typeof EventBody> {
  const body = JSON.parse(event.body) as z.input<typeof WebhookEventBody>;
  return { ...body, customer_ref: body.data.connection?.customer_ref ?? null };
}

export const listEventsRoute = defineRoute({
  method: "GET",
  path: "/v1/events",
  tag: "Webhooks",
  summary: "List events, newest first",
  description:
    "The bodies that webhook receivers get, whether or not there is one. Stored for 90 days, unless the operator has set another time.",
  scopes: ["connections:read", "webhooks:write"],
  role: "viewer",
  query: ListEvents,
  output: listSchema(EventBody),
  statuses: [200],
  run: (ctx, { query }) => listEvents(ctx, query),
  reply: (page) => listing(page, parseEventBody),
});

const TimelineBody = z
  .object({
    id: Uuid,
    kind: z.enum(["state", "check", "write", "certificate", "delivery", "visit", "action"]),
    from_state: z.string().nullable(),
    to_state: z.string().nullable(),
    error_code: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
    actor: ActorBody.nullable().describe(
      "Who caused it, as the audit log names them: `system` is the service itself; null in entries of earlier releases",
    ),
    plan: z
      .array(ChangeBody)
      .nullable()
      .describe("What a write changed in the zone; null for other entries"),
    created_at: Time,
  })
  .meta({ id: "TimelineEntry" });

function timelineBody(entry: ShownEntry): z.input<typeof TimelineBody> {
  return {
    id: entry.id,
    kind: entry.kind,
    from_state: entry.fromState,
    to_state: entry.toState,
    error_code: entry.errorCode,
    details: { ...entry.details },
    actor:
      entry.actor === null ? null : actorBody({ actor: entry.actor, actorName: entry.actorName }),
    plan: entry.plan?.map(changeBody) ?? null,
    created_at: time(entry.createdAt),
  };
}

export const listConnectionEventsRoute = defineRoute({
  method: "GET",
  path: "/v1/connections/{id}/events",
  tag: "Connections",
  summary: "The timeline of a connection, newest first",
  scopes: ["connections:read"],
  role: "viewer",
  params: IdParams,
  query: ListTimeline,
  output: listSchema(TimelineBody),
  statuses: [200],
  run: (ctx, { params, query }) => listTimeline(ctx, params.id, query),
  reply: (page) => listing(page, timelineBody),
});
