import { requirePartner } from "../connections/partner.ts";
import { requireConnection } from "../connections/read.ts";
import type { ServiceContext } from "../context.ts";
import { applyRecords, type PlanResult } from "./apply-records.ts";
import type { ApplyRecords } from "./schemas.ts";

/**
 * Writes the records of a connection, and with `pair` those of its partner: one plan, one consent, one
 * credential. Both are planned first; while either has a conflict nothing is written. Each keeps what it
 * wrote, so that each can be reverted by itself.
 */
export async function applyWithPartner(
  ctx: ServiceContext,
  id: string,
  { pair, ...input }: ApplyRecords,
): Promise<PlanResult> {
  if (pair !== true) return applyRecords(ctx, id, input);
  const partner = await ctx.read(async (tx) =>
    requirePartner(ctx, tx, await requireConnection(ctx, tx, id)),
  );
  const plans: PlanResult[] = [];
  for (const one of [id, partner.id]) {
    plans.push(await applyRecords(ctx, one, { ...input, dry_run: true }));
  }
  const isDryRun = input.dry_run ?? false;
  if (isDryRun || plans.some(hasConflict)) return joined(plans, isDryRun);
  const written: PlanResult[] = [];
  for (const one of [id, partner.id]) written.push(await applyRecords(ctx, one, input));
  return joined(written, false);
}

function hasConflict({ changes }: PlanResult): boolean {
  return changes.some(({ action }) => action === "conflict");
}

function joined(plans: readonly PlanResult[], dryRun: boolean): PlanResult {
  const [first] = plans;
  if (first === undefined) throw new Error("a pair has two plans");
  return {
    ...first,
    dryRun,
    applied: plans.every(({ applied }) => applied),
    changes: plans.flatMap(({ changes }) => changes),
    notes: [...new Set(plans.flatMap(({ notes }) => notes))],
  };
}
