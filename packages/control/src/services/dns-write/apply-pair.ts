import type { Connection } from "../../domain/connections/connection.ts";
import { requirePartner } from "../connections/partner.ts";
import { refuseArchived, requireConnection } from "../connections/read.ts";
import type { ServiceContext } from "../context.ts";
import { withSignIn } from "../oauth/grant.ts";
import { applyRecords, type PlanResult } from "./apply-records.ts";
import type { ApplyRecords } from "./schemas.ts";

/**
 * Writes the records of a connection, and with `pair` those of its partner: one plan, one consent,
 * one credential.
 */
export async function applyWithPartner(
  ctx: ServiceContext,
  id: string,
  { pair, ...input }: ApplyRecords,
): Promise<PlanResult> {
  const connections = await ctx.read(
    async (tx): Promise<readonly [Connection, ...Connection[]]> => {
      const connection = await requireConnection(ctx, tx, id);
      return pair === true ? [connection, await requirePartner(ctx, tx, connection)] : [connection];
    },
  );
  for (const connection of connections) refuseArchived(connection);
  return withSignIn(ctx, connections, input, (credentials) =>
    applyAll(ctx, connections, credentials),
  );
}

/**
 * Both of a pair are planned first; while either has a conflict nothing is written. Each keeps what
 * it wrote, so that each can be reverted by itself.
 */
async function applyAll(
  ctx: ServiceContext,
  connections: readonly [Connection, ...Connection[]],
  input: ApplyRecords,
): Promise<PlanResult> {
  const [first, ...others] = connections;
  if (others.length === 0) return applyRecords(ctx, first, input);
  const plans: PlanResult[] = [];
  for (const one of connections) {
    plans.push(await applyRecords(ctx, one, { ...input, dry_run: true }));
  }
  const isDryRun = input.dry_run ?? false;
  if (isDryRun || plans.some(hasConflict)) return joinPlans(plans, isDryRun);
  const written: PlanResult[] = [];
  for (const one of connections) written.push(await applyRecords(ctx, one, input));
  return joinPlans(written, false);
}

export function hasConflict({ changes }: PlanResult): boolean {
  return changes.some(({ action }) => action === "conflict");
}

/** The plans of a pair as one. */
export function joinPlans(plans: readonly PlanResult[], dryRun: boolean): PlanResult {
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
