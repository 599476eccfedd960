import { z } from "zod";

export const recordFields = {
  credential_id: z.uuid().nullish().describe("A stored credential of the application"),
  provider: z.string().min(1).max(64).nullish().describe("With `fields`: a slug of /v1/providers"),
  fields: z
    .record(z.string().max(64), z.string().max(16_384))
    .nullish()
    .describe("The provider's `credential_fields` by key; used for this call and not stored"),
  oauth_grant: z
    .string()
    .min(1)
    .max(128)
    .nullish()
    .describe("What the customer's sign-in gave the page; used up when the plan is applied"),
  dry_run: z.boolean().nullish().describe("Only says what would be done"),
  replace: z
    .array(z.string().max(64))
    .max(200)
    .nullish()
    .describe("Ids of conflicts in a plan whose `existing` records may be replaced"),
};

/** An empty body means: write, with the stored credential. */
export const ApplyRecords = z
  .strictObject({
    ...recordFields,
    pair: z
      .boolean()
      .nullish()
      .describe("Also the records of the domain's www, or of www's domain, as one plan"),
  })
  .prefault({});
export type ApplyRecords = z.infer<typeof ApplyRecords>;

export const RevertRecords = z.strictObject(recordFields).prefault({});
