import { recordKey } from "@mooring/dns";
import type { Tx } from "../../../db/engine/transaction.ts";
import {
  lockConnection,
  selectConnection,
  updateConnection,
} from "../../../db/queries/connections/connections.ts";
import { lockHostname } from "../../../db/queries/connections/hostname-locks.ts";
import { insertTimeline } from "../../../db/queries/connections/timeline.ts";
import type { AuditSource } from "../../../db/queries/operator/audit.ts";
import { insertEvent } from "../../../db/queries/webhooks/events.ts";
import type { Connection } from "../../../domain/connections/connection.ts";
import {
  blockingChecks,
  type Cutover,
  goneAt,
  revertWithinMs,
} from "../../../domain/connections/cutover.ts";
import { AppError } from "../../../domain/errors.ts";
import { ownershipRecord } from "../../../domain/ownership/ownership-challenge.ts";
import { fromDesired } from "../../../domain/records/desired-records.ts";
import { isDelegation, recordsToWrite } from "../../../domain/records/dns-write.ts";
import { auditSource, type ServiceContext } from "../../context.ts";
import { executePlan, type PlanResult } from "../../dns-write/apply-records.ts";
import { planRecords, readZone } from "../../dns-write/plan-records.ts";
import { planZoneRevert } from "../../dns-write/revert-records.ts";
import type { ApplyRecords } from "../../dns-write/schemas.ts";
import { chooseTarget } from "../../dns-write/writable-zone.ts";
import { withSignIn } from "../../oauth/grant.ts";
import { requireConnection } from "../read.ts";
import type { RevertCutover, SwitchCutover } from "./schemas.ts";

export interface CutoverResult extends PlanResult {
  readonly connection: Connection;
}

/**
 * Writes the new records of a prepared name. Consent to replace exactly the records of the old
 * location is implied; any other conflict stops it as in `records:apply`.
 */
export async function switchCutover(
  ctx: ServiceContext,
  id: string,
  input: SwitchCutover,
): Promise<CutoverResult> {
  const { connection, cutover } = await requireCutover(ctx, id);
  requireReady(cutover, input.accept ?? []);
  const { accept: _, ...credentials } = input;
  const result = await withSignIn(ctx, [connection], credentials, (one) =>
    writeSwitch(ctx, { connection, cutover }, one),
  );
  return withConnection(ctx, connection, result, (now) => ({
    status: "switching",
    visitors_gone_at: goneAt(cutover, now),
  }));
}

async function writeSwitch(
  ctx: ServiceContext,
  { connection, cutover }: Prepared,
  input: ApplyRecords,
): Promise<PlanResult> {
  const target = await chooseTarget(ctx, connection, input);
  const records = recordsToWrite(connection, "records");
  const old = new Set(cutover.old_records.map((record) => recordKey(fromDesired(record))));
  return executePlan(ctx, connection, target, {
    isDryRun: input.dry_run ?? false,
    action: "connection.cutover",
    isAllOrNothing: true,
    notes: [],
    plan: async () => {
      const listing = await readZone(ctx.runtime, connection, target, ctx.signal);
      const plan = (replace: readonly string[]) =>
        planRecords(ctx.runtime, connection, target, listing, { records, replace });
      const replaced = input.replace ?? [];
      const { changes } = await plan(replaced);
      const implied = changes.filter(
        ({ action, replaceable, existing }) =>
          action === "conflict" && replaceable && existing.every((one) => old.has(recordKey(one))),
      );
      return plan([...replaced, ...implied.map((change) => change.id)]);
    },
  });
}

/** Puts the old records back; claim and certificate stay, and the edge still serves the name. */
export async function revertCutover(
  ctx: ServiceContext,
  id: string,
  input: RevertCutover,
): Promise<CutoverResult> {
  const { connection, cutover } = await requireCutover(ctx, id);
  requireRevertable(cutover, ctx.now());
  const result = await withSignIn(ctx, [connection], input, (credentials) =>
    writeRevert(ctx, connection, credentials),
  );
  return withConnection(ctx, connection, result, () => ({
    status: "reverted",
    visitors_gone_at: null,
    done_at: null,
    is_away: false,
  }));
}

async function writeRevert(
  ctx: ServiceContext,
  connection: Connection,
  input: ApplyRecords,
): Promise<PlanResult> {
  const target = await chooseTarget(ctx, connection, input);
  const isProof = isDelegation(connection);
  const challenge = recordKey(ownershipRecord(connection));
  return executePlan(ctx, connection, target, {
    isDryRun: input.dry_run ?? false,
    action: "connection.cutover_revert",
    isAllOrNothing: false,
    notes: [],
    plan: () =>
      planZoneRevert(
        ctx.runtime,
        connection,
        target,
        ctx.signal,
        (record) => isProof(record) || recordKey(record) === challenge,
      ),
  });
}

interface Prepared {
  readonly connection: Connection;
  readonly cutover: Cutover;
}

async function requireCutover(ctx: ServiceContext, id: string): Promise<Prepared> {
  const connection = await ctx.read((tx) => requireConnection(ctx, tx, id));
  const { cutover, state } = connection;
  if (cutover === null || state === "archived" || state === "failed") {
    throw new AppError("conflict", "the connection has no cut-over");
  }
  return { connection, cutover };
}

function requireReady(cutover: Cutover, accepted: readonly string[]): void {
  const { status } = cutover;
  if (status === "done") throw new AppError("conflict", "the cut-over is done");
  if (status === "switching") return;
  const blocking = blockingChecks(cutover, accepted);
  const [first] = blocking;
  if (status !== "preparing" && first === undefined && cutover.checks.length > 0) return;
  const reason = first === undefined ? "it is being prepared" : first.message;
  throw new AppError("conflict", `the name cannot be switched now: ${reason}`, {
    details: { checks: blocking },
  });
}

function requireRevertable({ status, done_at: doneAt }: Cutover, now: Date): void {
  const isOpen = status === "switching" || status === "done";
  if (!isOpen) throw new AppError("conflict", "nothing was switched that could be reverted");
  const isLate = doneAt !== null && now.getTime() - Date.parse(doneAt) > revertWithinMs;
  if (isLate) throw new AppError("conflict", "a cut-over can be reverted for seven days");
}

/** The zone is written: the connection says so, with its event, and is checked at once. */
async function withConnection(
  ctx: ServiceContext,
  { id, hostname }: Connection,
  result: PlanResult,
  change: (now: Date) => Partial<Cutover>,
): Promise<CutoverResult> {
  const connection = await ctx.runtime.system(async (tx) => {
    await lockHostname(tx, hostname);
    const locked = await lockConnection(tx, id);
    // Archived meanwhile, which is final.
    if (locked?.state === "archived") return locked;
    if (!locked || !result.applied || locked.cutover === null) return locked;
    const now = ctx.now();
    const cutover = { ...locked.cutover, ...change(now) };
    return moveCutover(tx, locked, cutover, { ...auditSource(ctx), now });
  });
  const current = connection ?? (await ctx.read((tx) => selectConnection(tx, id)));
  if (current === null) throw new AppError("not_found", "the connection does not exist");
  return { ...result, connection: current };
}

/** Under the locks of hostname and row. A repeat of the same move is no news. */
async function moveCutover(
  tx: Tx,
  connection: Connection,
  cutover: Cutover,
  { now, ...by }: AuditSource & { readonly now: Date },
): Promise<Connection> {
  const isRevert = cutover.status === "reverted";
  const isNews = cutover.status !== connection.cutover?.status;
  const sequence = connection.sequence + (isNews ? 1 : 0);
  const moved = await updateConnection(
    tx,
    { ...connection, lease: null },
    {
      ...connection,
      // A reverted name waits again for its switch; it keeps claim and certificate, and does not
      // drift.
      state: isRevert ? "propagating" : connection.state,
      errorCode: isRevert ? null : connection.errorCode,
      cutover,
      sequence,
      misses: 0,
      firstMissAt: null,
      phaseStartedAt: now,
      checks: 0,
      dueAt: now,
    },
    now,
  );
  if (!moved) throw new Error("a locked connection was changed by another transaction");
  if (!isNews) return moved;
  const type = isRevert ? "domain.reverted" : "domain.switching";
  await insertEvent(tx, moved, { type, sequence, at: now, data: {} });
  await insertTimeline(tx, moved, {
    kind: connection.state === moved.state ? "check" : "state",
    fromState: connection.state === moved.state ? null : connection.state,
    toState: connection.state === moved.state ? null : moved.state,
    errorCode: null,
    details: { cutover: cutover.status },
    createdAt: now,
    by,
  });
  return moved;
}
