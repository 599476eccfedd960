import { z } from "zod";
import { scopes } from "../../domain/tenancy.ts";

export const CreateKey = z.strictObject({
  name: z.string().trim().min(1).max(100),
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .max(scopes.length)
    .optional()
    .describe("Defaults to every scope that the calling key holds"),
});
export type CreateKey = z.infer<typeof CreateKey>;
