import { z } from "zod";
import { connectionStates } from "../../domain/connection.ts";
import { CustomerRef } from "../customer.ts";
import { originUrl } from "../origins.ts";
import { pageQuery } from "../paging.ts";

const hostname = z.string().min(1).max(1_000);
const customerRef = CustomerRef.nullish().describe(
  "Your own id of the customer whose domain it is; a widget token carries it",
);

export const CreateConnection = z.strictObject({
  application_id: z.uuid(),
  hostname: hostname.describe("Any spelling: case, trailing dot, Unicode or punycode"),
  customer_ref: customerRef,
  batch_id: z.uuid().nullish().describe("Groups connections that were made together"),
  cutover: z
    .boolean()
    .optional()
    .describe(
      "For a name that serves visitors elsewhere: everything is prepared before its records change. Without effect on a name that is not in use",
    ),
  contest: z
    .boolean()
    .optional()
    .describe(
      "Makes the connection although another application's or customer's holds the hostname: its proof then starts a contest",
    ),
});
export type CreateConnection = z.infer<typeof CreateConnection>;

export const CreateBatch = z.strictObject({
  application_id: z.uuid(),
  hostnames: z.array(hostname).min(1).max(200),
  customer_ref: customerRef,
  batch_id: z.uuid().nullish().describe("Made for you when absent"),
});
export type CreateBatch = z.infer<typeof CreateBatch>;

export const UpdateConnection = z.strictObject({
  redirect_to: hostname
    .nullable()
    .optional()
    .describe("The hostname of another connection of the application; null ends the redirect"),
  origin_url: originUrl
    .nullable()
    .optional()
    .describe("Takes the place of the application's origins; null goes back to those"),
  origin_host_header: z
    .enum(["preserve", "origin"])
    .nullable()
    .optional()
    .describe("Host header sent to the origin; null: as the application has it"),
  customer_ref: CustomerRef.nullable()
    .optional()
    .describe("Whose domain it is; one half of a redirect cannot change it alone"),
});
export type UpdateConnection = z.infer<typeof UpdateConnection>;

export const ListConnections = z.strictObject({
  state: z.enum(connectionStates).optional(),
  hostname: hostname.optional(),
  customer_ref: CustomerRef.optional().describe("A widget token lists its own customer's only"),
  ...pageQuery,
});
export type ListConnections = z.infer<typeof ListConnections>;
