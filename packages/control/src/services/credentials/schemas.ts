import { z } from "zod";

export const StoreCredential = z.strictObject({
  provider: z.string().min(1).max(64).describe("A slug of GET /v1/providers"),
  name: z.string().trim().min(1).max(100),
  zone: z
    .string()
    .min(1)
    .max(1_000)
    .nullish()
    .describe("The one zone to use it for; otherwise found"),
  fields: z
    .record(z.string().max(64), z.string().max(16_384))
    .describe("The provider's `credential_fields` by key"),
});
export type StoreCredential = z.infer<typeof StoreCredential>;
