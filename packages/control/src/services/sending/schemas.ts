import { sendingKeys } from "@mooring/dns";
import { z } from "zod";

const provider = z.enum(sendingKeys).describe("A service for sending mail");

export const ApplySending = z.strictObject({
  provider,
  inputs: z
    .record(z.string().max(64), z.string().max(2_000))
    .nullish()
    .describe("What the service's console shows, by name; see the guide to email"),
  access: z
    .record(z.string().max(64), z.string().min(1).max(2_000))
    .nullish()
    .describe(
      "Your own access to the service (Resend, Postmark, Amazon SES): the values are read from your account, and the access is stored sealed to watch them. API keys only",
    ),
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
export type ApplySending = z.infer<typeof ApplySending>;

export const SendingParams = z.strictObject({ id: z.uuid(), provider });
