import { z } from "zod";
import type { SandboxZone, SandboxZoneSummary } from "../../domain/sandbox.ts";
import { RecordBody } from "./application.ts";
import { Time, time } from "./time.ts";

export const SandboxZoneBody = z
  .object({
    zone: z.string(),
    nameservers: z.array(z.string()),
    records: z.array(RecordBody).describe("With absolute hosts"),
  })
  .meta({ id: "SandboxZone", description: "A zone of the sandbox and everything in it" });

export function sandboxZoneBody(
  zone: Pick<SandboxZone, "zone" | "nameservers" | "records">,
): z.input<typeof SandboxZoneBody> {
  return {
    zone: zone.zone,
    nameservers: [...zone.nameservers],
    records: zone.records.map(({ host, type, value, ttl, priority }) => ({
      host,
      type,
      value,
      ttl,
      priority,
    })),
  };
}

export const SandboxZoneSummaryBody = z
  .object({
    zone: z.string(),
    nameservers: z.array(z.string()),
    record_count: z.int(),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: "SandboxZoneSummary" });

export function sandboxZoneSummaryBody(
  zone: SandboxZoneSummary,
): z.input<typeof SandboxZoneSummaryBody> {
  return {
    zone: zone.zone,
    nameservers: [...zone.nameservers],
    record_count: zone.recordCount,
    created_at: time(zone.createdAt),
    updated_at: time(zone.updatedAt),
  };
}
