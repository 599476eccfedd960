import { z } from "zod";
import {
  certificateSources,
  certificateStatuses,
  type ShownCertificate,
} from "../../domain/certificates/certificate.ts";
import {
  connectionErrors,
  connectionSnapshot,
  connectionStates,
  setupTypes,
  type VisibleConnection,
} from "../../domain/connections/connection.ts";
import { isPreparing } from "../../domain/connections/cutover.ts";
import { proxiedSnapshot } from "../../domain/connections/front.ts";
import { ownershipChallenge } from "../../domain/ownership/ownership-challenge.ts";
import { countOmitted } from "../../domain/records/observed-records.ts";
import { ConnectionEdge, shownRules } from "../../services/applications/edge-rules.ts";
import { deleteConnection } from "../../services/connections/archive.ts";
import { createBatch } from "../../services/connections/batch.ts";
import { createConnection } from "../../services/connections/create.ts";
import { createPair, type NewConnection } from "../../services/connections/pair.ts";
import {
  type ConnectionDetail,
  getConnection,
  listConnections,
  type ShownConnection,
} from "../../services/connections/read.ts";
import {
  CreateBatch,
  CreateConnection,
  CreatePair,
  ListConnections,
  UpdateConnection,
} from "../../services/connections/schemas.ts";
import { updateConnection } from "../../services/connections/update.ts";
import { verifyConnection } from "../../services/connections/verify.ts";
import {
  defineRoute,
  IdParams,
  listing,
  listSchema,
  RecordBody,
  Time,
  time,
  timeOrNull,
  Uuid,
} from "../http/route.ts";
import { CutoverBody } from "./cutover-body.ts";
import { HeadlineBody } from "./diagnosis.ts";
import {
  neededBody,
  neededFields,
  ObservedRecordBody,
  ownershipBody,
  ownershipFields,
  ValidationBody,
} from "./proof.ts";
import { RegistrationBody, registrationBody } from "./registration.ts";

const fields = {
  id: Uuid,
  application_id: Uuid,
  hostname: z.string(),
  kind: z.enum(["apex", "subdomain"]),
  setup_type: z.enum(setupTypes),
  state: z.enum(connectionStates),
  provider: z.string().nullable().describe("The detected DNS provider's slug"),
  batch_id: Uuid.nullable(),
  error_code: z.enum(connectionErrors).nullable(),
  wildcard: z.boolean().describe("Whether it covers every name one label below its parent"),
  contest: z
    .object({ since: Time, deadline: Time })
    .nullable()
    .describe(
      "Somebody else has proven ownership of a hostname that is held; prover and holder see the same",
    ),
  redirect_to: z
    .string()
    .nullable()
    .describe("The hostname that the edge sends visitors to, with 308, while that is served"),
  origin_url: z
    .string()
    .nullable()
    .describe(
      "Where the edge proxies this hostname to; null: to the application's origins. Always null for widget tokens",
    ),
  origin_host_header: z
    .enum(["preserve", "origin"])
    .nullable()
    .describe("Host header sent to the origin; null: as the application has it"),
  customer_ref: z.string().nullable().describe("Your own id of the customer whose domain it is"),
  cutover: CutoverBody.nullable().describe("Null for a name that was not in use"),
  created_at: Time,
};

export const ChallengeBody = z
  .object({ name: z.string(), value: z.string() })
  .meta({ id: "OwnershipChallenge", description: "A TXT record to publish at exactly this name" });

export const ConnectionBody = z.object(fields).meta({ id: "Connection" });
/** See `services/connections/left-behind`. */
const dangling = z
  .boolean()
  .describe(
    "The connection is archived, and its name still resolves to the service: ask the customer to remove the record. Looked up once a day for 90 days; false once it is gone, or the name is connected again",
  );
const ListedConnectionBody = z
  .object({
    ...fields,
    dangling,
    state_since: Time.describe("Since when it is in its state"),
    last_checked_at: Time.nullable(),
    next_check_at: Time.nullable(),
    registration_ends_at: Time.nullable().describe(
      "When the registration of its domain ends; null where that is not known",
    ),
    summary: HeadlineBody.nullable().describe(
      "The `headline` of the last diagnosis, asked for by anybody: the first of its findings that is more than good to know, word for word. After a check that finds something else wrong it is diagnosed again. Null: nothing is wrong",
    ),
  })
  .meta({ id: "ListedConnection" });
const NewConnectionBody = z
  .object({ ...fields, ownership_challenge: ChallengeBody, ...neededFields })
  .meta({ id: "NewConnection" });

export const ConnectionDetailBody = z
  .object({
    ...fields,
    edge: ConnectionEdge.nullable(),
    ownership_challenge: ChallengeBody,
    ...ownershipFields,
    ...neededFields,
    desired_records: z
      .array(RecordBody)
      .describe(
        "The records to publish; of a live connection those that were last seen in DNS. While a cut-over is prepared without those that visitors follow",
      ),
    pending_records: z
      .array(RecordBody)
      .nullable()
      .describe(
        "The records that replace `desired_records`, because the template or the edge has changed; null otherwise",
      ),
    observed_records: z
      .array(ObservedRecordBody)
      .describe("At most 32 values of a name and type, each of at most 512 characters"),
    observed_truncated: z.boolean().describe("More was there than `observed_records` shows"),
    observed_omitted: z.int().describe("How many values were there that are not listed"),
    validation: ValidationBody.nullable().describe("Null where validation is not delegated"),
    proxied: z
      .object({
        by: z
          .string()
          .describe("`cloudflare`, `fastly` or another name, `unknown` where none was recognised"),
        since: Time,
      })
      .nullable()
      .describe("The CDN through which requests for the name arrive; null where there is none"),
    registration: RegistrationBody.nullable().describe(
      "What the domain's registry says of it, asked once a day; null without a recent answer",
    ),
    dangling,
    partner_id: Uuid.nullable().describe(
      "The other connection of a pair: the one that redirects to this one, or that it redirects to",
    ),
    certificate: z.object({
      status: z.enum(certificateStatuses),
      not_after: Time.nullable(),
      ca: z.string().nullable().describe("Its issuer"),
      source: z
        .enum(certificateSources)
        .nullable()
        .describe("`own`: brought by the tenant; `external`: of an edge that is not ours"),
      fingerprint: z
        .string()
        .nullable()
        .describe("SHA-256 of the certificate, in hexadecimal; null where it is not known"),
      next_attempt_at: Time.nullable(),
      last_error: z
        .object({
          type: z
            .string()
            .nullable()
            .describe(
              "Of the CA's problem document (RFC 8555); null for what the service found itself",
            ),
          detail: z.string().describe("In the CA's own words; text of somebody else"),
        })
        .nullable()
        .describe(
          "Why the last attempt failed, also after `certificate_timeout`; null while nothing has failed",
        ),
    }),
  })
  .meta({ id: "ConnectionDetail" });

function connectionBody(connection: VisibleConnection): z.input<typeof ConnectionBody> {
  return connectionSnapshot(connection);
}

function listedConnectionBody(connection: ShownConnection): z.input<typeof ListedConnectionBody> {
  const { stateSince, lastCheckedAt, nextCheckAt, finding, registrationEndsAt } = connection;
  return {
    ...connectionBody(connection),
    dangling: connection.isDangling === true,
    state_since: time(stateSince),
    last_checked_at: timeOrNull(lastCheckedAt),
    next_check_at: timeOrNull(nextCheckAt),
    registration_ends_at: timeOrNull(registrationEndsAt ?? null),
    summary: finding && { code: finding.code, actor: finding.actor, title: finding.title },
  };
}

function newConnectionBody({
  connection,
  target,
  needed,
}: NewConnection): z.input<typeof NewConnectionBody> {
  return {
    ...connectionBody(connection),
    ownership_challenge: ownershipChallenge(connection),
    target,
    needed_records: neededBody(connection.hostname, needed),
  };
}

export function connectionDetailBody({
  connection,
  certificate,
  validation,
  partnerId,
  fault,
  registration,
  isDangling = false,
  target,
  needed,
}: ConnectionDetail): z.input<typeof ConnectionDetailBody> {
  const omitted = countOmitted(connection.observedRecords);
  return {
    ...newConnectionBody({ connection, target, needed }),
    edge: connection.edge === null ? null : shownRules(connection.edge),
    ownership: ownershipBody(connection),
    // A customer who is shown all of them would move the site before it is prepared.
    desired_records: (isPreparing(connection) ? needed.now : connection.desiredRecords).map(
      (record) => ({ ...record }),
    ),
    pending_records: connection.pendingRecords?.map((record) => ({ ...record })) ?? null,
    observed_records: connection.observedRecords.map((record) => ({ ...record })),
    observed_truncated: omitted !== null,
    observed_omitted: omitted ?? 0,
    validation:
      validation === null
        ? null
        : { ...validation, status: connection.validationStatus ?? "absent" },
    proxied: proxiedSnapshot(connection.front),
    registration: registrationBody(registration ?? null),
    dangling: isDangling,
    partner_id: partnerId,
    certificate: { ...certificateBody(certificate), last_error: fault ?? null },
  };
}

function certificateBody(certificate: ShownCertificate | null) {
  return {
    status: certificate?.status ?? ("none" as const),
    not_after: timeOrNull(certificate?.notAfter ?? null),
    ca: certificate?.ca ?? null,
    source: certificate?.source ?? null,
    fingerprint: certificate?.fingerprint ?? null,
    next_attempt_at: timeOrNull(certificate?.nextAttemptAt ?? null),
  };
}

export const createConnectionRoute = defineRoute({
  method: "POST",
  path: "/v1/connections",
  tag: "Connections",
  summary: "Start connecting a domain",
  description:
    "Answers 200 with the existing connection when the same application and customer have an unfinished or drifted one for the hostname; to the widget token of a customer or domain also with a live one. Whatever belongs to another customer is answered as another tenant's.",

  scopes: ["connections:write"],
  role: "developer",
  widget: true,
  idempotent: true,
  timeoutMs: 8_000,
  body: CreateConnection,
  output: NewConnectionBody,
  statuses: [201, 200],
  errors: ["HostnameConflict", "QuotaExceeded", "not_found"],
  run: (ctx, { body }) => createConnection(ctx, body),
  reply: newConnectionBody,
  statusFor: ({ resumed }) => (resumed ? 200 : 201),
});

export const createBatchRoute = defineRoute({
  method: "POST",
  path: "/v1/connections:batch",
  tag: "Connections",
  summary: "Start connecting up to 200 domains",
  scopes: ["connections:write"],
  role: "developer",
  idempotent: true,
  timeoutMs: 60_000,
  body: CreateBatch,
  output: z
    .object({
      batch_id: Uuid,
      results: z.array(
        z.object({
          hostname: z.string(),
          status: z.enum(["created", "resumed", "failed"]),
          connection: NewConnectionBody.nullable(),
          error: z.object({ code: z.string(), message: z.string() }).nullable(),
        }),
      ),
    })
    .meta({ id: "ConnectionBatch" }),
  statuses: [200],
  errors: ["not_found"],
  run: (ctx, { body }) => createBatch(ctx, body),
  reply: ({ batchId, results }) => ({
    batch_id: batchId,
    results: results.map(({ connection, named, ...rest }) => ({
      ...rest,
      connection: connection && named && newConnectionBody({ connection, ...named }),
    })),
  }),
});

export const createPairRoute = defineRoute({
  method: "POST",
  path: "/v1/connections:pair",
  tag: "Connections",
  summary: "Start connecting a domain and its www together",
  description:
    "Makes or resumes both connections, one of which redirects to the other; 200 when both were there. A repeat with another `canonical` turns the redirect round. A conflict of either names neither, and nothing is made.",
  scopes: ["connections:write"],
  role: "developer",
  widget: true,
  idempotent: true,
  timeoutMs: 8_000,
  body: CreatePair,
  output: z
    .object({
      batch_id: Uuid,
      connections: z.array(NewConnectionBody).describe("The domain, then its www"),
    })
    .meta({ id: "ConnectionPair" }),
  statuses: [201, 200],
  errors: ["HostnameConflict", "QuotaExceeded", "not_found"],
  run: (ctx, { body }) => createPair(ctx, body),
  reply: ({ batchId, apex, www }) => ({
    batch_id: batchId,
    connections: [newConnectionBody(apex), newConnectionBody(www)],
  }),
  statusFor: ({ resumed }) => (resumed ? 200 : 201),
});

export const listConnectionsRoute = defineRoute({
  method: "GET",
  path: "/v1/connections",
  tag: "Connections",
  summary: "List connections, newest first",
  description:
    "The widget token of a customer lists that customer's connections of its application.",
  scopes: ["connections:read"],
  widget: "customer",
  role: "viewer",
  query: ListConnections,
  output: listSchema(ListedConnectionBody),
  statuses: [200],
  run: (ctx, { query }) => listConnections(ctx, query),
  reply: (page) => listing(page, listedConnectionBody),
});

export const getConnectionRoute = defineRoute({
  method: "GET",
  path: "/v1/connections/{id}",
  tag: "Connections",
  summary: "Read one connection with its records and certificate",
  scopes: ["connections:read"],
  role: "viewer",
  widget: true,
  params: IdParams,
  output: ConnectionDetailBody,
  statuses: [200],
  run: (ctx, { params }) => getConnection(ctx, params.id),
  reply: connectionDetailBody,
});

export const updateConnectionRoute = defineRoute({
  method: "PATCH",
  path: "/v1/connections/{id}",
  tag: "Connections",
  summary: "Change how the edge serves a domain",
  description:
    "The edge follows within two seconds, without a new proof or certificate; the event `domain.changed` tells. `redirect_to` is the hostname of another connection of the same application and customer that is not archived and does not redirect; a hostname that others redirect to cannot redirect itself.",
  scopes: ["connections:write"],
  role: "developer",
  params: IdParams,
  body: UpdateConnection,
  output: ConnectionBody,
  statuses: [200],
  errors: ["conflict"],
  run: (ctx, { params, body }) => updateConnection(ctx, params.id, body),
  reply: connectionBody,
});

export const deleteConnectionRoute = defineRoute({
  method: "DELETE",
  path: "/v1/connections/{id}",
  tag: "Connections",
  summary: "Offboard a domain",
  description:
    "Archives the connection and frees its hostname. A repeat answers the same. With `revert_dns` the records that were written with a stored credential are taken back as far as that can be done; what is left is on the timeline. The widget token of a customer may archive that customer's.",
  scopes: ["connections:write"],
  widget: "customer",
  role: "developer",
  timeoutMs: 30_000,
  params: IdParams,
  query: z.strictObject({ revert_dns: z.enum(["true", "false"]).optional() }),
  output: ConnectionBody,
  statuses: [200],
  run: (ctx, { params, query }) =>
    deleteConnection(ctx, params.id, { revertDns: query.revert_dns === "true" }),
  reply: connectionBody,
});

export const verifyConnectionRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/verify",
  tag: "Connections",
  summary: "Check the ownership record now",
  description:
    "Any record proves that the application allows (`proofs`). The details of `ownership_not_found` are the `name` and `type` of the record that is missed, the `expected` value, what was `observed` there (at most 32 values, each of at most 512 characters; `observed_truncated` says that more was there), each of the `servers` with its outcome, and the `reason`, if one is known. The details of `HostnameConflict` are null, the same for every holder, until a proof has begun a contest; then `contest_deadline`.",
  scopes: ["connections:write"],
  role: "support",
  readConnection: getConnection,
  timeoutMs: 15_000,
  params: IdParams,
  output: ConnectionBody,
  statuses: [200],
  errors: ["ownership_not_found", "HostnameConflict", "conflict"],
  run: (ctx, { params }) => verifyConnection(ctx, params.id),
  reply: connectionBody,
});
