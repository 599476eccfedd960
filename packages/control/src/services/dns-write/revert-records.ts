import {
  type Change,
  type Plan as ChangePlan,
  type DnsRecord,
  ProviderError,
  planRevert,
} from "@mooring/dns";
import type { Tx } from "../../db/engine/transaction.ts";
import { selectSealedCredential } from "../../db/queries/applications/credentials.ts";
import { selectClaimHolder } from "../../db/queries/connections/claims.ts";
import { selectDnsWrites } from "../../db/queries/dns-writes/dns-writes.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { AppError } from "../../domain/errors.ts";
import { type Footprint, footprint, type PastWrite } from "../../domain/records/dns-write.ts";
import { actorLabel } from "../../domain/tenancy.ts";
import { requireConnection } from "../connections/read.ts";
import { insertWriteEntry } from "../connections/timeline.ts";
import { auditSource, type ServiceContext } from "../context.ts";
import { planGrantRevert, revertByGrant } from "../domain-connect/apply-grant.ts";
import { findGrant } from "../domain-connect/grant.ts";
import { withSignIn } from "../oauth/grant.ts";
import type { Runtime } from "../runtime.ts";
import { applyPlan } from "./apply-plan.ts";
import { executePlan, noteApplied, type PlanResult } from "./apply-records.ts";
import { listZones } from "./open-provider.ts";
import { readZone, writesTo } from "./plan-records.ts";
import type { ApplyRecords } from "./schemas.ts";
import {
  chooseTarget,
  findWritableZone,
  pickZone,
  type WritableZone,
  withProviderErrors,
  writePurpose,
} from "./writable-zone.ts";
import { withZone } from "./zone-lease.ts";

/**
 * Restores a zone to what it was before this service wrote to it; also for an archived connection,
 * with a credential given again. Records that others have changed since are left as they are.
 */
export async function revertRecords(
  ctx: ServiceContext,
  id: string,
  input: ApplyRecords,
): Promise<PlanResult> {
  const connection = await ctx.read((tx) => requireConnection(ctx, tx, id));
  await refuseWhenHeldByAnother(ctx.runtime, connection);
  return withSignIn(ctx, [connection], input, (credentials) =>
    revertWith(ctx, connection, credentials),
  );
}

async function revertWith(
  ctx: ServiceContext,
  connection: Connection,
  input: ApplyRecords,
): Promise<PlanResult> {
  const hasCredential = Boolean(input.credential_id ?? input.provider ?? input.fields);
  const consent = hasCredential ? null : await revertByConsent(ctx, connection, input);
  if (consent !== null) return consent;
  const target = await chooseTarget(ctx, connection, input);
  const elsewhere = await zonesElsewhere(ctx.runtime, connection, target);
  return executePlan(ctx, connection, target, {
    isDryRun: input.dry_run ?? false,
    action: "connection.revert_records",
    isAllOrNothing: false,
    notes: elsewhere.map((zone) => `There is something to revert in ${zone} too.`),
    plan: () => planZoneRevert(ctx.runtime, connection, target, ctx.signal),
  });
}

/**
 * Reverts through the customer's Domain Connect consent; null when there is none or it was not
 * used.
 */
async function revertByConsent(
  ctx: ServiceContext,
  connection: Connection,
  input: ApplyRecords,
): Promise<PlanResult | null> {
  const grant = await findGrant(ctx.runtime, connection.id);
  if (grant === null || grant.appliedAt === null) return null;
  const provider = grant.providerId;
  const dryRun = input.dry_run ?? false;
  const details = { provider, zone: grant.zone };
  const onApplied = (tx: Tx) =>
    noteApplied(ctx, tx, connection, "connection.revert_records", details);
  const plan = dryRun
    ? planGrantRevert(connection, grant)
    : await withProviderErrors(provider, ctx, () =>
        revertByGrant(ctx, connection, grant, onApplied),
      );
  return { dryRun, applied: !dryRun, provider, zone: plan.zone, changes: plan.changes, notes: [] };
}

/**
 * Another connection that holds the hostname uses the same records: they point to the same edge.
 */
async function refuseWhenHeldByAnother(runtime: Runtime, connection: Connection): Promise<void> {
  const holder = await runtime.system((tx) => selectClaimHolder(tx, connection.hostname));
  if (holder && holder.connectionId !== connection.id) {
    throw new AppError("conflict", `${connection.hostname} is in use by another connection`);
  }
}

/** `isRetained`: records that stay although this service wrote them. */
export async function planZoneRevert(
  runtime: Runtime,
  connection: Connection,
  target: WritableZone,
  signal: AbortSignal,
  isRetained: (record: DnsRecord) => boolean = () => false,
): Promise<ChangePlan> {
  const { ours, before, found, retimed } = footprint(await writesTo(runtime, connection, target));
  const zone = target.zone.name;
  const listing = await readZone(runtime, connection, target, signal);
  // All writes together, as the one write that they amount to.
  const changes = [
    ...ours.filter((one) => !isRetained(one)).map(created),
    ...before.map(deleted),
    ...found.map(unchanged),
    ...retimed.map(lowered),
  ];
  return planRevert({ zone, changes }, listing);
}

function created(record: DnsRecord): Change {
  return { ...plainChange(record), action: "create", existing: [] };
}

function deleted(record: DnsRecord): Change {
  return { ...plainChange(record), action: "delete", existing: [record] };
}

function unchanged(record: DnsRecord): Change {
  return { ...plainChange(record), action: "keep", existing: [], wasThere: true };
}

function lowered({ before, after }: Footprint["retimed"][number]): Change {
  return { ...plainChange(after), action: "update", existing: [before] };
}

function plainChange(record: DnsRecord): Pick<Change, "id" | "record" | "reason" | "replaceable"> {
  return { id: "", record, reason: "", replaceable: false };
}

async function zonesElsewhere(
  runtime: Runtime,
  connection: Connection,
  { manifest, zone }: WritableZone,
): Promise<readonly string[]> {
  return (await zonesToRevert(runtime, connection))
    .filter((group) => group.provider !== manifest.slug || group.zone !== zone.name)
    .map((group) => `${group.zone} (${group.provider})`);
}

/** The zones that may still hold something of ours, with the credential that last wrote there. */
async function zonesToRevert(
  runtime: Runtime,
  connection: Connection,
): Promise<readonly WrittenZone[]> {
  const writes = await runtime.system((tx) => selectDnsWrites(tx, connection.id));
  const groups = Map.groupBy(writes, ({ provider, zone }) => `${provider} ${zone}`);
  return [...groups.values()].flatMap((group) => {
    const { ours, before, retimed } = footprint(group);
    const last = group.at(-1);
    const isAny = ours.length + before.length + retimed.length > 0;
    return last === undefined || !isAny ? [] : [last];
  });
}

type WrittenZone = Pick<PastWrite, "provider" | "zone" | "credentialId">;

const zoneTimeoutMs = 8_000;

/**
 * Reverts with stored credentials what a connection that was just archived has written. It does not
 * fail: what remains is on the timeline, for `records:revert` with a credential given.
 */
export async function revertArchived(ctx: ServiceContext, connection: Connection): Promise<void> {
  await revertConsent(ctx, connection);
  for (const written of await zonesToRevert(ctx.runtime, connection)) {
    try {
      await refuseWhenHeldByAnother(ctx.runtime, connection);
      const reason = await revertZone(ctx, connection, written);
      if (reason !== null) await noteNotReverted(ctx, connection, written, reason);
    } catch (error) {
      const reason = expected(error, ctx.signal);
      if (reason === null) throw error;
      await noteNotReverted(ctx, connection, written, reason);
    }
  }
}

/** Asks the provider to remove the template that it applied with the customer's consent. */
async function revertConsent(ctx: ServiceContext, connection: Connection): Promise<void> {
  const grant = await findGrant(ctx.runtime, connection.id);
  if (grant === null || grant.appliedAt === null) return;
  try {
    await refuseWhenHeldByAnother(ctx.runtime, connection);
    await revertByGrant(ctx, connection, grant);
  } catch (error) {
    // What remains is found below, among the zones to revert.
    if (expected(error, ctx.signal) === null) throw error;
  }
}

function expected(error: unknown, signal: AbortSignal): string | null {
  if (error instanceof ProviderError) return error.message;
  if (error instanceof AppError && error.code === "conflict") return error.message;
  return signal.aborted ? "the provider did not answer in time" : null;
}

/** Why something remains, or null when nothing does. */
async function revertZone(
  ctx: ServiceContext,
  connection: Connection,
  written: WrittenZone,
): Promise<string | null> {
  const { runtime, signal } = ctx;
  const target = await targetFor(ctx, connection, written);
  if (target === null) return "no stored credential sees the zone";
  const plan = await withZone(runtime, target, { timeoutMs: zoneTimeoutMs, signal }, async () => {
    const undo = await planZoneRevert(runtime, connection, target, signal);
    const isChange = undo.changes.some(({ action }) => action !== "keep" && action !== "conflict");
    if (isChange)
      await applyPlan(runtime, connection, target, undo, signal, {
        isRevert: true,
        by: auditSource(ctx),
      });
    return undo;
  });
  if (plan === null) return "another writer is using the zone";
  const stuck = plan.changes.filter(({ action }) => action === "conflict");
  return stuck.length === 0 ? null : stuck.map(({ reason }) => reason).join(" ");
}

/** The zone as the credential that wrote it sees it; else as any usable stored credential does. */
async function targetFor(
  ctx: ServiceContext,
  connection: Connection,
  { provider, zone, credentialId }: WrittenZone,
): Promise<WritableZone | null> {
  const { runtime, signal } = ctx;
  const actor = actorLabel(ctx.actor);
  const credential =
    credentialId === null
      ? null
      : await ctx.read((tx) => selectSealedCredential(tx, connection.applicationId, credentialId));
  if (credential) {
    const purpose = writePurpose(connection, actor);
    const { opened, zones } = await listZones(runtime, purpose, credential, signal);
    const target = await pickZone(runtime, connection, opened, zones, signal);
    return target?.zone.name === zone ? target : null;
  }
  const found = await findWritableZone(runtime, connection, actor, signal);
  if (found.outcome === "none") return null;
  const { target } = found;
  return target.manifest.slug === provider && target.zone.name === zone ? target : null;
}

async function noteNotReverted(
  ctx: ServiceContext,
  connection: Connection,
  { provider, zone }: WrittenZone,
  reason: string,
): Promise<void> {
  const entry = { provider, zone, outcome: "not_reverted", error: reason };
  await ctx.runtime.system((tx) =>
    insertWriteEntry(tx, connection, entry, ctx.now(), auditSource(ctx)),
  );
}
