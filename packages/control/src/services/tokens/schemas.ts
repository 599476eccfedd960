import { z } from "zod";

export const MintToken = z.strictObject({
  application_id: z.uuid().describe("The application whose widget the token opens"),
  domain: z.string().min(1).max(1_000).optional().describe("Binds the token to this one hostname"),
});
export type MintToken = z.infer<typeof MintToken>;
