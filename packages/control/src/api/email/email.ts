import { type MailSet, mailboxProviders } from "@mooring/dns";
import { z } from "zod";
import { toDesired } from "../../domain/records/desired-records.ts";
import { getConnection } from "../../services/connections/read.ts";
import { type AppliedEmail, applyEmail, generateEmail } from "../../services/email/apply.ts";
import { ApplyEmail, GenerateEmail } from "../../services/email/schemas.ts";
import { defineRoute, IdParams, RecordBody } from "../http/route.ts";
import { noteBodies, noteFields } from "./mail-notes.ts";

const provider = z
  .enum(mailboxProviders.map(({ key }) => key))
  .describe("The mailbox provider, by its own name also where an alias was given");

const EmailRecordsBody = z
  .object({
    provider,
    domain: z.string(),
    records: z.array(RecordBody),
    ...noteFields,
  })
  .meta({ id: "EmailRecords" });

const EmailApplyBody = z
  .object({
    applied: z.boolean().describe("Records of the mailbox provider are in the zone now"),
    domain: z.string(),
    provider,
    written_records: z.array(RecordBody).describe("Written now, or already present"),
    manual_records: z
      .array(RecordBody)
      .describe(
        "To be added by hand; the SPF record is the whole value that takes the place of what is there",
      ),
    spf: z
      .object({
        action: z
          .enum(["add", "replace", "keep", "decide"])
          .describe("`decide`: it cannot be merged without a person, and a note says why"),
        current: z.string().nullable().describe("The SPF record that is there"),
        value: z.string().nullable().describe("What takes its place"),
      })
      .nullable()
      .describe("A domain has one SPF record: what is there, and what it must become"),
    ...noteFields,
  })
  .meta({ id: "EmailApply" });

function emailRecordsBody(set: MailSet): z.input<typeof EmailRecordsBody> {
  return {
    provider: set.provider,
    domain: set.domain,
    records: set.records.map(({ record }) => toDesired(record)),
    ...noteBodies(set.notes),
  };
}

function emailApplyBody(applied: AppliedEmail): z.input<typeof EmailApplyBody> {
  return {
    applied: applied.applied,
    domain: applied.domain,
    provider: applied.provider,
    written_records: applied.written.map(toDesired),
    manual_records: applied.manual.map(toDesired),
    spf: applied.spf,
    ...noteBodies(applied.notes),
  };
}

export const generateEmailRoute = defineRoute({
  method: "POST",
  path: "/v1/email/records",
  tag: "Email",
  summary: "Generate the mail records of a domain for a mailbox provider",
  description:
    "Reads and writes no DNS. What only the provider's console knows is left out, and a note says where it is found.",
  scopes: ["connections:read", "connections:write"],
  role: "viewer",
  body: GenerateEmail,
  output: EmailRecordsBody,
  statuses: [200],
  run: (ctx, { body }) => generateEmail(ctx, body),
  reply: emailRecordsBody,
});

export const applyEmailRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/email:apply",
  tag: "Connections",
  summary: "Set up mail for the connection's domain",
  description:
    "Writes the safe records through the application's stored credential, once ownership is proven. Nothing in the zone is changed or duplicated, and the SPF record is never written: it is returned merged, ready to paste. Without a credential everything is to be added by hand.",
  scopes: ["connections:write"],
  role: "developer",
  widget: true,
  readConnection: getConnection,
  timeoutMs: 30_000,
  params: IdParams,
  body: ApplyEmail,
  output: EmailApplyBody,
  statuses: [200],
  errors: ["conflict", "provider_error"],
  run: (ctx, { params, body }) => applyEmail(ctx, params.id, body),
  reply: emailApplyBody,
});
