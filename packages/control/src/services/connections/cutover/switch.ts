import { recordKey } from "@mooring/dns";
import type { Tx } from "../../../db/engine/transaction.ts";
import { lockConnection, updateConnection } from "../../../db/queries/connections/connections.ts";
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
import { hasConflict, joinPlans } from "../../dns-write/apply-pair.ts";
import { executePlan, type PlanResult } from "../../dns-write/apply-records.ts";
import { planRecords, readZone } from "../../dns-write/plan-records.ts";
import { planZoneRevert } from "../../dns-write/revert-records.ts";
import type { ApplyRecords } from "../../dns-write/schemas.ts";
import { chooseTarget } from "../../dns-write/writable-zone.ts";
import { withSignIn } from "../../oauth/grant.ts";
import { requirePartner } from "../partner.ts";
import { requireConnection } from "../read.ts";
import type { RevertCutover, SwitchCutover } from "./schemas.ts";

export interface CutoverResult extends PlanResult {
  readonly connection: Connection;
  /** The other one of a pair; null where one name was written. */
  readonly partner: Connection | null;
}

/**
 * Writes the new records of a prepared name, or of both of a pair. Consent to replace exactly the
 * records of the old location is implied; any other conflict stops it as in `records:apply`.
 */
export async function switchCutover(
  ctx: ServiceContext,
  id: string,
  input: SwitchCutover,
): Promise<CutoverResult> {
  const { accept, pair, ...credentials } = input;
  const { connections, all } = await requireCutovers(ctx, id, pair === true);
  // Of a pair one may have been switched by hand, or by a call that ended in between.
  const open = all.filter(({ cutover }) => cutover.status !== "done");
  for (const { cutover } of open.length === 0 ? all : open) requireReady(cutover, accept ?? []);
  return moveAll(ctx, connections, open, credentials, {
    write: writeSwitch,
    isAllOrNothing: true,
    change: ({ cutover }, now) => ({
      status: "switching",
      visitors_gone_at: goneAt(cutover, now),
    }),
  });
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
  const { pair, ...credentials } = input;
  const { connections, all } = await requireCutovers(ctx, id, pair === true);
  const open = all.filter(({ cutover }) => isSwitched(cutover));
  for (const { cutover } of open.length === 0 ? all : open) requireRevertable(cutover, ctx.now());
  return moveAll(ctx, connections, open, credentials, {
    write: writeRevert,
    isAllOrNothing: false,
    change: () => ({ status: "reverted", visitors_gone_at: null, done_at: null, is_away: false }),
  });
}

interface Move {
  readonly write: (ctx: ServiceContext, one: Prepared, input: ApplyRecords) => Promise<PlanResult>;
  /** While either of a pair has a conflict, nothing of both is written. */
  readonly isAllOrNothing: boolean;
  readonly change: (one: Prepared, now: Date) => Partial<Cutover>;
}

/**
 * Moves those that are open, as one plan; each is marked as soon as its records are written, so
 * that a call that ends in between is finished by a repeat.
 */
async function moveAll(
  ctx: ServiceContext,
  connections: Requested["connections"],
  open: readonly Prepared[],
  credentials: ApplyRecords,
  move: Move,
): Promise<CutoverResult> {
  const [first, second] = connections;
  const result = await withSignIn(ctx, connections, credentials, (input) =>
    writeOpen(ctx, open, input, move),
  );
  const read = ({ id }: Connection) => ctx.read((tx) => requireConnection(ctx, tx, id));
  return {
    ...result,
    connection: await read(first),
    partner: second === undefined ? null : await read(second),
  };
}

async function writeOpen(
  ctx: ServiceContext,
  open: readonly Prepared[],
  input: ApplyRecords,
  { write, isAllOrNothing, change }: Move,
): Promise<PlanResult> {
  const isDryRun = input.dry_run ?? false;
  if (open.length > 1) {
    const plans: PlanResult[] = [];
    for (const one of open) plans.push(await write(ctx, one, { ...input, dry_run: true }));
    if (isDryRun || (isAllOrNothing && plans.some(hasConflict))) return joinPlans(plans, isDryRun);
  }
  const written: PlanResult[] = [];
  for (const one of open) {
    const result = await write(ctx, one, input);
    await storeMove(ctx, one.connection, result, (now) => change(one, now));
    written.push(result);
  }
  return joinPlans(written, isDryRun);
}

async function writeRevert(
  ctx: ServiceContext,
  { connection }: Prepared,
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

interface Requested {
  readonly connections: readonly [Connection, ...Connection[]];
  /** Those that are moved; one of a pair may have been connected in the ordinary way. */
  readonly all: readonly Prepared[];
}

async function requireCutovers(
  ctx: ServiceContext,
  id: string,
  isPair: boolean,
): Promise<Requested> {
  const connections = await ctx.read(async (tx): Promise<Requested["connections"]> => {
    const connection = await requireConnection(ctx, tx, id);
    return isPair ? [connection, await requirePartner(ctx, tx, connection)] : [connection];
  });
  const all = connections.flatMap((connection): readonly Prepared[] => {
    const { cutover, state } = connection;
    const hasNone = cutover === null || state === "archived" || state === "failed";
    return hasNone ? [] : [{ connection, cutover }];
  });
  if (all.length === 0) throw new AppError("conflict", "the connection has no cut-over");
  return { connections, all };
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

function isSwitched({ status }: Cutover): boolean {
  return status === "switching" || status === "done";
}

function requireRevertable(cutover: Cutover, now: Date): void {
  const { done_at: doneAt } = cutover;
  if (!isSwitched(cutover))
    throw new AppError("conflict", "nothing was switched that could be reverted");
  const isLate = doneAt !== null && now.getTime() - Date.parse(doneAt) > revertWithinMs;
  if (isLate) throw new AppError("conflict", "a cut-over can be reverted for seven days");
}

/** The zone is written: the connection says so, with its event, and is checked at once. */
async function storeMove(
  ctx: ServiceContext,
  { id, hostname }: Connection,
  { applied }: PlanResult,
  change: (now: Date) => Partial<Cutover>,
): Promise<void> {
  if (!applied) return;
  await ctx.runtime.system(async (tx) => {
    await lockHostname(tx, hostname);
    const locked = await lockConnection(tx, id);
    // Archived meanwhile, which is final.
    if (!locked || locked.state === "archived" || locked.cutover === null) return;
    const now = ctx.now();
    const cutover = { ...locked.cutover, ...change(now) };
    await moveCutover(tx, locked, cutover, { ...auditSource(ctx), now });
  });
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
