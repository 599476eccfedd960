import { z } from "zod";
import { cutoverChecks, cutoverStatuses, notCompared } from "../../domain/connections/cutover.ts";
import { RecordBody, Time } from "../http/route.ts";

/** The cut-over of a connection, in every answer that has one. */
export const CutoverBody = z
  .object({
    status: z.enum(cutoverStatuses),
    checks: z.array(
      z.object({
        code: z.enum(cutoverChecks),
        ok: z.boolean(),
        message: z.string(),
        not_compared: z
          .enum(notCompared)
          .optional()
          .describe(
            "Only of `origin`: it holds, but was not compared, since the old place has no address or did not answer",
          ),
      }),
    ),
    ready_at: Time.nullable(),
    old_records: z.array(RecordBody).describe("What the name has at the old place"),
    ttl: z.int().nullable().describe("Of the old records, in seconds, as last seen"),
    visitors_gone_at: Time.nullable().describe("From then on the old place has no visitors"),
  })
  .meta({ id: "Cutover", description: "The move of a name that serves visitors elsewhere" });
