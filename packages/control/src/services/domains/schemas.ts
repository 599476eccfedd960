import { z } from "zod";
import { CustomerRef } from "../applications/customer.ts";

export const CheckDomain = z.strictObject({
  domain: z.string().min(1).max(1_000).describe("The hostname that is to be connected"),
  application_id: z
    .uuid()
    .optional()
    .describe("Whose record template to check against; a widget token implies its own"),
  customer_ref: CustomerRef.optional().describe(
    "Whose it would be; a widget token implies its own",
  ),
});
export type CheckDomain = z.infer<typeof CheckDomain>;
