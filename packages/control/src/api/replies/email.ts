import { type MailSet, mailboxProviders } from "@mooring/dns";
import { z } from "zod";
import { toDesired } from "../../domain/desired-records.ts";
import type { AppliedEmail } from "../../services/email/apply.ts";
import { RecordBody } from "./application.ts";

const provider = z
  .enum(mailboxProviders.map(({ key }) => key))
  .describe("The mailbox provider, by its own name also where an alias was given");
const notes = z.array(z.string()).describe("Whole sentences for the person who sets mail up");

export const EmailRecordsBody = z
  .object({
    provider,
    domain: z.string(),
    records: z.array(RecordBody),
    notes,
  })
  .meta({ id: "EmailRecords" });

export const EmailApplyBody = z
  .object({
    applied: z.boolean().describe("Records of the mailbox provider stand in the zone now"),
    domain: z.string(),
    provider,
    written_records: z
      .array(RecordBody)
      .describe("Written now, or there already as they are wanted"),
    manual_records: z
      .array(RecordBody)
      .describe(
        "To be added by hand; the SPF record is the whole value that takes the place of what is there",
      ),
    notes,
  })
  .meta({ id: "EmailApply" });

export function emailRecordsBody(set: MailSet): z.input<typeof EmailRecordsBody> {
  return {
    provider: set.provider,
    domain: set.domain,
    records: set.records.map(({ record }) => toDesired(record)),
    notes: [...set.notes],
  };
}

export function emailApplyBody(applied: AppliedEmail): z.input<typeof EmailApplyBody> {
  return {
    applied: applied.applied,
    domain: applied.domain,
    provider: applied.provider,
    written_records: applied.written.map(toDesired),
    manual_records: applied.manual.map(toDesired),
    notes: [...applied.notes],
  };
}
