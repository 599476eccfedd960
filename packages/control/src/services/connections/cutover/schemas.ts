import { z } from "zod";
import { recordFields } from "../../dns-write/schemas.ts";

const pair = z
  .boolean()
  .nullish()
  .describe("Together with the domain's www, or with www's domain, as one plan");

/** An empty body means: write, with the stored credential. */
export const SwitchCutover = z
  .strictObject({
    ...recordFields,
    pair,
    accept: z
      .array(z.enum(["origin"]))
      .nullish()
      .describe("Checks whose warning is accepted"),
  })
  .prefault({});
export type SwitchCutover = z.infer<typeof SwitchCutover>;

export const RevertCutover = z.strictObject({ ...recordFields, pair }).prefault({});
export type RevertCutover = z.infer<typeof RevertCutover>;
