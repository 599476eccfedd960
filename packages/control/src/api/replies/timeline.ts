import { z } from "zod";
import type { TimelineEntry } from "../../services/connections/timeline.ts";
import { Time, time, Uuid } from "./time.ts";

export const TimelineBody = z
  .object({
    id: Uuid,
    kind: z.enum(["state", "check", "write", "certificate", "delivery"]),
    from_state: z.string().nullable(),
    to_state: z.string().nullable(),
    error_code: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
    created_at: Time,
  })
  .meta({ id: "TimelineEntry" });

export function timelineBody(entry: TimelineEntry): z.input<typeof TimelineBody> {
  return {
    id: entry.id,
    kind: entry.kind,
    from_state: entry.fromState,
    to_state: entry.toState,
    error_code: entry.errorCode,
    details: { ...entry.details },
    created_at: time(entry.createdAt),
  };
}
