import { z } from "zod";
import { recordFields } from "../../dns-write/schemas.ts";

/** An empty body means: write, with the stored credential. */
export const SwitchCutover = z
  .strictObject({
    ...recordFields,
    accept: z
      .array(z.enum(["origin"]))
      .nullish()
      .describe("Checks whose warning is accepted"),
  })
  .prefault({});
export type SwitchCutover = z.infer<typeof SwitchCutover>;

export const RevertCutover = z.strictObject(recordFields).prefault({});
export type RevertCutover = z.infer<typeof RevertCutover>;
