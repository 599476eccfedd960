import { z } from "zod";
import { subscribableTypes, testEventType } from "../../domain/event.ts";
import { pageQuery } from "../paging.ts";

const kinds = [...subscribableTypes, testEventType] as const;

export const ListEvents = z.strictObject({
  application_id: z.uuid().optional(),
  type: z.enum(kinds).optional().describe("Only events of this kind"),
  ...pageQuery,
});
export type ListEvents = z.infer<typeof ListEvents>;
