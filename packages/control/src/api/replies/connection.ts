import type { RecordCheck } from "@mooring/dns";
import { z } from "zod";
import { type Certificate, certificateStatuses } from "../../domain/certificate.ts";
import {
  type Connection,
  connectionErrors,
  connectionStates,
  setupTypes,
} from "../../domain/connection.ts";
import { connectionSnapshot, type VisibleConnection } from "../../domain/event.ts";
import { ownershipChallenge } from "../../services/connections/create.ts";
import type { ConnectionDetail } from "../../services/connections/read.ts";
import { RecordBody } from "./application.ts";
import { Time, timeOrNull, Uuid } from "./time.ts";

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
  created_at: Time,
};

const ChallengeBody = z
  .object({ name: z.string(), value: z.string() })
  .meta({ id: "OwnershipChallenge", description: "A TXT record to publish at exactly this name" });

export const ConnectionBody = z.object(fields).meta({ id: "Connection" });
export const NewConnectionBody = z
  .object({ ...fields, ownership_challenge: ChallengeBody })
  .meta({ id: "NewConnection" });

const ObservedRecordBody = z
  .object({ ...RecordBody.shape, propagated: z.boolean(), observed_at: Time })
  .meta({ id: "ObservedRecord" });

export const ConnectionDetailBody = z
  .object({
    ...fields,
    ownership_challenge: ChallengeBody,
    desired_records: z.array(RecordBody),
    observed_records: z.array(ObservedRecordBody),
    certificate: z.object({
      status: z.enum(certificateStatuses),
      not_after: Time.nullable(),
      ca: z.string().nullable(),
    }),
  })
  .meta({ id: "ConnectionDetail" });

export const RecordCheckBody = z
  .object({
    ...RecordBody.shape,
    propagated: z.boolean(),
    observed_value: z.string().nullable().describe("What stands there now; null when nothing does"),
  })
  .meta({ id: "RecordCheck" });

export function connectionBody(connection: VisibleConnection): z.input<typeof ConnectionBody> {
  return connectionSnapshot(connection);
}

export function newConnectionBody(connection: Connection): z.input<typeof NewConnectionBody> {
  return { ...connectionBody(connection), ownership_challenge: ownershipChallenge(connection) };
}

export function connectionDetailBody({
  connection,
  certificate,
}: ConnectionDetail): z.input<typeof ConnectionDetailBody> {
  return {
    ...newConnectionBody(connection),
    desired_records: connection.desiredRecords.map((record) => ({ ...record })),
    observed_records: connection.observedRecords.map((record) => ({ ...record })),
    certificate: certificateBody(certificate),
  };
}

function certificateBody(certificate: Certificate | null) {
  return {
    status: certificate?.status ?? ("none" as const),
    not_after: timeOrNull(certificate?.notAfter ?? null),
    ca: certificate?.ca ?? null,
  };
}

export function recordCheckBody(check: RecordCheck): z.input<typeof RecordCheckBody> {
  const { name, type, value, ttl, priority } = check.record;
  const propagated = check.outcome === "match";
  const seen = check.observedValues.length > 0 ? check.observedValues.join(", ") : null;
  return {
    host: name,
    type,
    value,
    ttl,
    priority,
    propagated,
    observed_value: propagated ? value : seen,
  };
}
