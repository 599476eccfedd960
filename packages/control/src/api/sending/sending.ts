import { sendingKeys } from "@mooring/dns";
import { z } from "zod";
import { toDesired } from "../../domain/records/desired-records.ts";
import { type SendingDomain, sendingStates } from "../../domain/sending/sending.ts";
import { getConnection } from "../../services/connections/read.ts";
import { applySending } from "../../services/sending/apply.ts";
import { checkSending, listSending, removeSending } from "../../services/sending/read.ts";
import { ApplySending, SendingParams } from "../../services/sending/schemas.ts";
import { noteDetails, noteFields } from "../email/mail-notes.ts";
import { defineRoute, IdParams, RecordBody, Time, time, timeOrNull } from "../http/route.ts";

const SendingRecordBody = RecordBody.extend({
  role: z.enum(["dkim", "return_path", "spf", "verification", "dmarc"]),
  action: z
    .enum(["written", "manual", "none"])
    .describe("`written`: in the zone; `manual`: to be added by hand; `none`: a note says why not"),
  status: z
    .enum(["right", "missing", "wrong"])
    .nullable()
    .describe("What the zone's servers answer; null before the first check and while they do not"),
}).meta({ id: "SendingRecord", description: "A DNS record of a sending domain" });

const SendingDomainBody = z
  .object({
    provider: z.enum(sendingKeys),
    domain: z.string(),
    status: z
      .enum(sendingStates)
      .describe(
        "`ready`: all records are right, and the service accepts the domain when it checks next; `accepted`: the service says that it does; `broken`: they were right and are not any more",
      ),
    records: z.array(SendingRecordBody),
    spf: z
      .object({
        action: z.enum(["add", "replace", "keep", "decide"]),
        current: z.string().nullable(),
        value: z.string().nullable(),
      })
      .nullable()
      .describe("The domain's one SPF record, where the service needs it; never a second one"),
    ...noteFields,
    reads_account: z.boolean().describe("The values are read from your account at the service"),
    account_error: z.string().nullable().describe("Why the account could not be asked last"),
    checked_at: Time.nullable(),
    next_check_at: Time.nullable(),
    ready_at: Time.nullable(),
    accepted_at: Time.nullable(),
    created_at: Time,
  })
  .meta({ id: "SendingDomain" });

const SendingDomainsBody = z.object({ data: z.array(SendingDomainBody) }).meta({
  id: "SendingDomains",
});

function sendingBody(sending: SendingDomain): z.input<typeof SendingDomainBody> {
  return {
    provider: sending.provider,
    domain: sending.domain,
    status: sending.state,
    records: sending.records.map(({ role, record, action, status }) => ({
      ...toDesired(record),
      role,
      action,
      status,
    })),
    spf: sending.advice.spf,
    notes: [...sending.advice.notes],
    note_details: noteDetails(sending.advice.details ?? []),
    reads_account: sending.sealedAccess !== null,
    account_error: sending.accountError,
    checked_at: timeOrNull(sending.checkedAt),
    next_check_at: timeOrNull(sending.dueAt),
    ready_at: timeOrNull(sending.readyAt),
    accepted_at: timeOrNull(sending.acceptedAt),
    created_at: time(sending.createdAt),
  };
}

const listBody = (all: readonly SendingDomain[]) => ({ data: all.map(sendingBody) });

export const applySendingRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/sending:apply",
  tag: "Email",
  summary: "Set the connection's domain up at a service for sending mail",
  description:
    "Resend, Postmark, Amazon SES, Mailgun, SendGrid or Brevo. The values are given in `inputs`, or read from your account with `access`; called again without either, the last ones are used. Records are written as by email:apply, and watched from then on.",
  scopes: ["connections:write"],
  role: "developer",
  widget: true,
  readConnection: getConnection,
  timeoutMs: 30_000,
  params: IdParams,
  body: ApplySending,
  output: SendingDomainBody,
  statuses: [200],
  errors: ["conflict", "provider_error"],
  run: (ctx, { params, body }) => applySending(ctx, params.id, body),
  reply: sendingBody,
});

export const listSendingRoute = defineRoute({
  method: "GET",
  path: "/v1/connections/{id}/sending",
  tag: "Email",
  summary: "The connection's sending domains, with what DNS has of each record",
  scopes: ["connections:read"],
  role: "viewer",
  widget: true,
  params: IdParams,
  output: SendingDomainsBody,
  statuses: [200],
  run: (ctx, { params }) => listSending(ctx, params.id),
  reply: listBody,
});

export const checkSendingRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/sending:check",
  tag: "Email",
  summary: "Check the connection's sending domains now",
  scopes: ["connections:write"],
  role: "support",
  widget: true,
  readConnection: getConnection,
  timeoutMs: 30_000,
  params: IdParams,
  output: SendingDomainsBody,
  statuses: [200],
  errors: ["conflict"],
  run: (ctx, { params }) => checkSending(ctx, params.id),
  reply: listBody,
});

export const removeSendingRoute = defineRoute({
  method: "DELETE",
  path: "/v1/connections/{id}/sending/{provider}",
  tag: "Email",
  summary: "Stop watching a sending domain",
  description: "The stored access is dropped. The records stay: mail may depend on them.",
  scopes: ["connections:write"],
  role: "developer",
  params: SendingParams,
  output: null,
  statuses: [204],
  run: (ctx, { params }) => removeSending(ctx, params.id, params.provider),
  reply: () => null,
});
