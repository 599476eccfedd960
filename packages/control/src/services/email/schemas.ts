import { mailboxNames } from "@mooring/dns";
import { z } from "zod";

const mailbox = {
  provider: z.enum(mailboxNames).describe("A mailbox provider"),
  inputs: z
    .record(z.string().max(64), z.string().max(2_000))
    .nullish()
    .describe("What only the mailbox provider's console knows, by name; see the guide to email"),
};

export const GenerateEmail = z.strictObject({
  domain: z.string().min(1).max(1_000).describe("The part of the addresses behind the @"),
  ...mailbox,
});
export type GenerateEmail = z.infer<typeof GenerateEmail>;

export const ApplyEmail = z.strictObject({
  ...mailbox,
  dns: z
    .strictObject({
      provider: z.string().min(1).max(64).describe("A slug of /v1/providers"),
      fields: z.record(z.string().max(64), z.string().max(16_384)),
    })
    .nullish()
    .describe("Access to the DNS provider, as in records:apply; used for this call and not stored"),
  dry_run: z
    .boolean()
    .nullish()
    .describe(
      "Whether only to show what would be written: nothing is written, and nothing is stored",
    ),
});
export type ApplyEmail = z.infer<typeof ApplyEmail>;
