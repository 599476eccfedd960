import { z } from "zod";
import { connectionErrors, connectionStates } from "../../domain/connections/connection.ts";
import { findingActors } from "../../domain/diagnosis/finding.ts";
import { CustomerRef } from "../applications/customer.ts";
import { ConnectionEdgeChanges } from "../applications/edge-rules.ts";
import { originUrl } from "../applications/origins.ts";
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

export const CreatePair = z.strictObject({
  application_id: z.uuid(),
  hostname: hostname.describe("A registered domain like acme.com, or its `www` name"),
  canonical: z
    .enum(["apex", "www"])
    .optional()
    .describe("The one that visitors stay on; default: the one that is given as `hostname`"),
  customer_ref: customerRef,
  cutover: z
    .boolean()
    .optional()
    .describe(
      "Prepare both before they move, when either serves visitors elsewhere; they are switched together",
    ),
});
export type CreatePair = z.infer<typeof CreatePair>;

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
  edge: ConnectionEdgeChanges.optional(),
});
export type UpdateConnection = z.infer<typeof UpdateConnection>;

const state = z.enum(connectionStates);

/** Two characters at least, or the index of pairs finds nothing. */
export const searchText = z
  .string()
  .min(2)
  .max(100)
  .refine((text) => text.normalize("NFC").length >= 2, { error: "expected 2 characters or more" });

export const ListConnections = z.strictObject({
  state: z
    .union([state, z.array(state).min(1).max(connectionStates.length)])
    .optional()
    .describe("Several: the parameter repeated"),
  hostname: hostname.optional(),
  customer_ref: CustomerRef.optional().describe("A widget token lists its own customer's only"),
  q: searchText
    .optional()
    .describe(
      "A part of the hostname or of the customer, 2 to 100 characters, spaces included; compared after Unicode NFC and case folding",
    ),
  application_id: z.uuid().optional(),
  batch_id: z.uuid().optional().describe("Only those that were made with it"),
  error_code: z.enum(connectionErrors).optional(),
  actor: z
    .union([z.enum(findingActors), z.array(z.enum(findingActors)).min(1)])
    .optional()
    .describe("Whose move it is by the first finding; may be repeated"),
  stuck: z
    .enum(["true"])
    .optional()
    .describe("Only those that are in their state for longer than is usual for it"),
  provider: z.string().min(1).max(100).optional().describe("The DNS provider's slug"),
  registration_ends_within: z.coerce
    .number({ error: "expected a number of days from 1 to 366" })
    .int()
    .min(1)
    .max(366)
    .optional()
    .describe(
      "Only those that are not archived and whose domain's registration ends within so many days, or has ended",
    ),
  wildcard: z.enum(["true", "false"]).optional().describe("Only wildcards, or none"),
  dangling: z
    .enum(["true"])
    .optional()
    .describe("Only archived ones whose names were last seen to resolve to the service still"),
  sort: z
    .enum(["created", "stuck_since"])
    .optional()
    .describe(
      "`created`: newest first. `stuck_since`: longest in its state first; unless `state` is given, without those that are archived or live and well",
    ),
  ...pageQuery,
});
export type ListConnections = z.infer<typeof ListConnections>;
