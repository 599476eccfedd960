import type { Change, Plan } from "@mooring/dns";
import { requestRecheck } from "../../db/queries/due-connections.ts";
import type { Connection } from "../../domain/connection.ts";
import { recordsToWrite } from "../../domain/dns-write.ts";
import { AppError } from "../../domain/errors.ts";
import { audit } from "../audit.ts";
import { refuseArchived, requireConnection } from "../connections/read.ts";
import type { ServiceContext } from "../context.ts";
import { applyPlan, settlePlan } from "./apply-plan.ts";
import { planRecords, readZone } from "./plan-records.ts";
import type { ApplyRecords } from "./schemas.ts";
import type { WritableZone } from "./writable-zone.ts";
import { chooseTarget, withProviderErrors } from "./writable-zone.ts";
import { withZone } from "./zone-lease.ts";

/** A plan and what became of it. */
export interface CarriedPlan {
  readonly dryRun: boolean;
  /** The zone is as the plan says. */
  readonly applied: boolean;
  readonly provider: string;
  readonly zone: string;
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
}

/** A customer waits in a browser, and another writer is done within seconds. */
const patienceMs = 8_000;

/**
 * Writes what the connection still needs, all or nothing: a plan that is in conflict is answered and
 * not carried out. The state is left to the look that follows at once.
 */
export async function applyRecords(
  ctx: ServiceContext,
  id: string,
  input: ApplyRecords,
): Promise<CarriedPlan> {
  const connection = await ctx.read((tx) => requireConnection(ctx, tx, id));
  refuseArchived(connection);
  const target = await chooseTarget(ctx, connection, input);
  const wanted = {
    records: recordsToWrite(connection, "all"),
    replace: input.replace ?? [],
  };
  return carryPlan(ctx, connection, target, {
    isDryRun: input.dry_run ?? false,
    action: "connection.apply_records",
    isAllOrNothing: true,
    notes: [],
    plan: async () => {
      const listing = await readZone(ctx.runtime, connection, target, ctx.signal);
      return planRecords(ctx.runtime, connection, target, listing, wanted);
    },
  });
}

export interface Carrying {
  readonly isDryRun: boolean;
  readonly action: `connection.${string}`;
  /** A conflict keeps everything from being written. */
  readonly isAllOrNothing: boolean;
  readonly notes: readonly string[];
  /** Reads the zone and says what is to be done; under the zone's lease when it is to be done. */
  readonly plan: () => Promise<Plan>;
}

export async function carryPlan(
  ctx: ServiceContext,
  connection: Connection,
  target: WritableZone,
  carrying: Carrying,
): Promise<CarriedPlan> {
  const { runtime, signal } = ctx;
  const answer = (plan: Plan, applied: boolean): CarriedPlan => ({
    dryRun: carrying.isDryRun,
    applied,
    provider: target.manifest.slug,
    zone: target.zone.name,
    changes: plan.changes,
    notes: [...carrying.notes, ...notesOn(connection, target, plan, carrying)],
  });
  return withProviderErrors(target.manifest.slug, ctx, async () => {
    if (carrying.isDryRun) return answer(await carrying.plan(), false);
    const done = await withZone(runtime, target, { patienceMs, signal }, async () => {
      const plan = await carrying.plan();
      const hasConflict = plan.changes.some(({ action }) => action === "conflict");
      if (hasConflict && carrying.isAllOrNothing) return answer(plan, false);
      const isChange = plan.changes.some(({ action }) => !["keep", "conflict"].includes(action));
      if (isChange) await applyPlan(runtime, connection, target, plan, signal);
      else if (carrying.isAllOrNothing) await settlePlan(runtime, connection, target);
      return answer(plan, isChange || !hasConflict);
    });
    if (done === null) {
      throw new AppError("conflict", "the zone is being written by somebody else; try again", {
        retryAfterSeconds: 10,
      });
    }
    if (done.applied) await follow(ctx, connection, carrying.action, done);
    return done;
  });
}

/** The connection is looked at soon, and the audit log has who did it. */
export async function follow(
  ctx: ServiceContext,
  connection: Connection,
  action: Carrying["action"],
  { provider, zone }: Pick<CarriedPlan, "provider" | "zone">,
): Promise<void> {
  await ctx.runtime.system((tx) => requestRecheck(tx, connection.id, ctx.now()));
  await ctx.write((tx) => audit(ctx, tx, action, connection.id, { provider, zone }));
}

function notesOn(
  connection: Connection,
  target: WritableZone,
  plan: Plan,
  { isAllOrNothing }: Carrying,
): readonly string[] {
  const stuck = plan.changes.filter(({ action }) => action === "conflict");
  const where = stuck.map(({ record }) => `${record.name} ${record.type}`).join(", ");
  return [
    ...(stuck.length > 0 && isAllOrNothing
      ? [`Nothing is written while there are conflicts: ${where}.`]
      : []),
    ...(stuck.length > 0 && !isAllOrNothing ? [`Not restored: ${where}.`] : []),
    ...(target.isDelegated
      ? []
      : [
          `${connection.hostname} is delegated to other name servers than those of this zone, so that its records are not seen.`,
        ]),
  ];
}
