import type { Change, Plan as ChangePlan } from "@mooring/dns";
import type { Tx } from "../../db/engine/transaction.ts";
import { requestRecheck } from "../../db/queries/connections/due-connections.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { AppError } from "../../domain/errors.ts";
import { recordsToWrite } from "../../domain/records/dns-write.ts";
import { neededFor } from "../connections/needed.ts";
import type { ServiceContext } from "../context.ts";
import { audit, auditSource } from "../context.ts";
import { applyPlan, settlePlan } from "./apply-plan.ts";
import { withLowerTtl } from "./lower-ttl.ts";
import { planRecords, readZone } from "./plan-records.ts";
import type { ApplyRecords } from "./schemas.ts";
import {
  chooseTarget,
  notDelegated,
  type WritableZone,
  withProviderErrors,
} from "./writable-zone.ts";
import { withZone } from "./zone-lease.ts";

/** A plan, and whether it was applied. */
export interface PlanResult {
  readonly dryRun: boolean;
  /** The zone is as the plan says. */
  readonly applied: boolean;
  readonly provider: string;
  readonly zone: string;
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
}

/** A customer waits in a browser, and another writer finishes within seconds. */
const zoneTimeoutMs = 8_000;

/**
 * Writes what the connection still needs, all or nothing: a plan with a conflict is returned and
 * not applied. The state does not change here; the check that follows at once decides on it.
 */
export async function applyRecords(
  ctx: ServiceContext,
  connection: Connection,
  input: ApplyRecords,
): Promise<PlanResult> {
  const target = await chooseTarget(ctx, connection, input);
  const requested = {
    records: recordsToWrite(connection, "all", await neededFor(ctx.runtime, connection)),
    replace: input.replace ?? [],
  };
  return executePlan(ctx, connection, target, {
    isDryRun: input.dry_run ?? false,
    action: "connection.apply_records",
    isAllOrNothing: true,
    notes: [],
    plan: async () => {
      const listing = await readZone(ctx.runtime, connection, target, ctx.signal);
      const needed = await planRecords(ctx.runtime, connection, target, listing, requested);
      return withLowerTtl(connection, target, listing, needed);
    },
  });
}

export interface PlanExecution {
  readonly isDryRun: boolean;
  readonly action: `connection.${string}`;
  /** With a conflict nothing is written. */
  readonly isAllOrNothing: boolean;
  readonly notes: readonly string[];
  /** Reads the zone and makes the plan; under the zone's lease unless it is a dry run. */
  readonly plan: () => Promise<ChangePlan>;
}

/**
 * Makes a plan and applies it as the zone's only writer. The audit row and the request for a check
 * commit with the write's outcome, in one transaction.
 */
export async function executePlan(
  ctx: ServiceContext,
  connection: Connection,
  target: WritableZone,
  execution: PlanExecution,
): Promise<PlanResult> {
  const { runtime, signal } = ctx;
  const result = (plan: ChangePlan, applied: boolean): PlanResult => ({
    dryRun: execution.isDryRun,
    applied,
    provider: target.manifest.slug,
    zone: target.zone.name,
    changes: plan.changes,
    notes: [...execution.notes, ...notesOn(target, plan, execution)],
  });
  return withProviderErrors(target.manifest.slug, ctx, async () => {
    if (execution.isDryRun) return result(await execution.plan(), false);
    const done = await withZone(runtime, target, { timeoutMs: zoneTimeoutMs, signal }, async () => {
      const plan = await execution.plan();
      return result(plan, await applyOrSettle(ctx, connection, target, { ...execution, plan }));
    });
    if (done === null) throw zoneBusy();
    return done;
  });
}

/** False when a conflict stops the plan or is all that it has. */
async function applyOrSettle(
  ctx: ServiceContext,
  connection: Connection,
  target: WritableZone,
  {
    plan,
    action,
    isAllOrNothing,
  }: Pick<PlanExecution, "action" | "isAllOrNothing"> & { plan: ChangePlan },
): Promise<boolean> {
  const { runtime, signal } = ctx;
  const details = { provider: target.manifest.slug, zone: target.zone.name };
  const onApplied = (tx: Tx) => noteApplied(ctx, tx, connection, action, details);
  const hasConflict = plan.changes.some((change) => change.action === "conflict");
  if (hasConflict && isAllOrNothing) return false;
  const isChange = plan.changes.some((change) => !["keep", "conflict"].includes(change.action));
  const options = { onApplied, isRevert: !isAllOrNothing, by: auditSource(ctx) };
  if (isChange) await applyPlan(runtime, connection, target, plan, signal, options);
  else if (isAllOrNothing) await settlePlan(runtime, connection, target, onApplied);
  else if (!hasConflict) await runtime.system(onApplied);
  return isChange || !hasConflict;
}

/** Makes the connection due for a check and audits the write, in the transaction of its outcome. */
export async function noteApplied(
  ctx: ServiceContext,
  tx: Tx,
  connection: Connection,
  action: PlanExecution["action"],
  details: Pick<PlanResult, "provider" | "zone">,
): Promise<void> {
  await requestRecheck(tx, connection.id, ctx.now());
  await audit(ctx, tx, action, connection.id, details);
}

export function zoneBusy(): AppError {
  return new AppError("conflict", "another writer is using the zone; try again", {
    retryAfterSeconds: 10,
  });
}

function notesOn(
  target: WritableZone,
  plan: ChangePlan,
  { isAllOrNothing }: PlanExecution,
): readonly string[] {
  const stuck = plan.changes.filter(({ action }) => action === "conflict");
  const where = stuck.map(({ record }) => `${record.name} ${record.type}`).join(", ");
  return [
    ...(stuck.length > 0 && isAllOrNothing
      ? [`Nothing is written while there are conflicts: ${where}.`]
      : []),
    ...(stuck.length > 0 && !isAllOrNothing ? [`Not restored: ${where}.`] : []),
    ...(target.delegation === "elsewhere" ? [notDelegated(target.zone, target.manifest)] : []),
  ];
}
