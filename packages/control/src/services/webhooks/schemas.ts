import { z } from "zod";
import { subscribableTypes } from "../../domain/event.ts";
import { pageQuery } from "../paging.ts";

const url = z
  .string()
  .max(2_000)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: "expected an https URL",
  });
const events = z
  .array(z.enum([...subscribableTypes, "*"]))
  .min(1)
  .max(subscribableTypes.length + 1)
  .transform((kinds) => [...new Set(kinds)]);

export const CreateEndpoint = z.strictObject({
  application_id: z.uuid(),
  url: url.describe("https; in the test environment http too"),
  events: events.optional().describe("Event kinds to receive; all of them by default"),
});
export type CreateEndpoint = z.infer<typeof CreateEndpoint>;

export const UpdateEndpoint = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  active: z.boolean().optional(),
});
export type UpdateEndpoint = z.infer<typeof UpdateEndpoint>;

export const ListEndpoints = z.strictObject({
  application_id: z.uuid().optional(),
  ...pageQuery,
});
export type ListEndpoints = z.infer<typeof ListEndpoints>;

export const ReplaySince = z.strictObject({
  since: z.iso.datetime({ offset: true }).describe("Events of this time and later are sent again"),
});
export type ReplaySince = z.infer<typeof ReplaySince>;
