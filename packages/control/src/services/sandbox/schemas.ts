import { recordTypes } from "@mooring/dns";
import { z } from "zod";
import { maxZoneRecords } from "../../domain/sandbox-zone.ts";

const zoneRecord = z.strictObject({
  host: z
    .string()
    .min(1)
    .max(500)
    .describe("Absolute, or relative to the zone; `@` is the zone itself"),
  type: z
    .string()
    .toUpperCase()
    .pipe(z.enum(recordTypes))
    .describe(`One of ${recordTypes.join(", ")}`),
  value: z.string().min(1).max(4_096),
  ttl: z.int().min(0).max(2_147_483_647).nullish().describe("Seconds; 60 by default"),
  priority: z.int().min(0).max(65_535).nullish().describe("MX and SRV only"),
});
export type ZoneRecordInput = z.infer<typeof zoneRecord>;

export const PutSandboxZone = z.strictObject({
  records: z
    .array(zoneRecord)
    .max(maxZoneRecords)
    .describe("Everything the zone is to hold; what is not here is gone"),
  nameservers: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(13)
    .nullish()
    .describe(
      "The zone's apparent servers, from which its provider is detected; the sandbox's by default",
    ),
});
export type PutSandboxZone = z.infer<typeof PutSandboxZone>;
