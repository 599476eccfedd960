import { z } from "zod";
import { toDesired } from "../../domain/desired-records.ts";
import type { PlanResult } from "../../services/dns-write/apply-records.ts";
import { RecordBody } from "./application.ts";

const ChangeBody = z
  .object({
    id: z
      .string()
      .describe("To be given in `replace`; stands for exactly these `existing` records"),
    action: z
      .enum(["create", "update", "keep", "conflict", "delete"])
      .describe("`delete` occurs in a revert only"),
    record: RecordBody,
    existing: z.array(RecordBody).describe("What the change removes, or what stands in its way"),
    reason: z.string(),
  })
  .meta({ id: "RecordChange" });

export const RecordPlanBody = z
  .object({
    dry_run: z.boolean(),
    applied: z.boolean().describe("The zone is now as the plan says"),
    provider: z.string(),
    zone: z.string(),
    changes: z.array(ChangeBody),
    notes: z.array(z.string()),
  })
  .meta({ id: "RecordPlan" });

export function recordPlanBody(plan: PlanResult): z.input<typeof RecordPlanBody> {
  return {
    dry_run: plan.dryRun,
    applied: plan.applied,
    provider: plan.provider,
    zone: plan.zone,
    changes: plan.changes.map(({ id, action, record, existing, reason }) => ({
      id,
      action,
      record: toDesired(record),
      existing: existing.map(toDesired),
      reason,
    })),
    notes: [...plan.notes],
  };
}
