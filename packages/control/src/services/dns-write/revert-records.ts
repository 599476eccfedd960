import { type Change, type DnsRecord, type Plan, ProviderError, planRevert } from "@mooring/dns";
import { selectClaimHolder } from "../../db/queries/claims.ts";
import { selectSealedCredential } from "../../db/queries/credentials.ts";
import { selectDnsWrites } from "../../db/queries/dns-writes.ts";
import { insertTimeline } from "../../db/queries/events.ts";
import type { Connection } from "../../domain/connection.ts";
import { footprint, type PastWrite } from "../../domain/dns-write.ts";
import { AppError } from "../../domain/errors.ts";
import { actorLabel } from "../../domain/tenancy.ts";
import { requireConnection } from "../connections/read.ts";
import type { ServiceContext } from "../context.ts";
import { planGrantRevert, revertByGrant } from "../domain-connect/apply-grant.ts";
import { findGrant } from "../domain-connect/grant.ts";
import type { Runtime } from "../runtime.ts";
import { applyPlan } from "./apply-plan.ts";
import { type CarriedPlan, carryPlan, follow } from "./apply-records.ts";
import { listZones } from "./open-provider.ts";
import { readZone, writesTo } from "./plan-records.ts";
import type { ApplyRecords } from "./schemas.ts";
import {
  chooseTarget,
  findWritableZone,
  pickZone,
  purposeOf,
  type WritableZone,
  withProviderErrors,
} from "./writable-zone.ts";
import { withZone } from "./zone-lease.ts";

/**
 * Puts a zone back to what it was before this service wrote to it. Also for an archived connection,
 * whose customer gives the credential again. Records that others have put there since are left alone.
 */
export async function revertRecords(
  ctx: ServiceContext,
  id: string,
  input: ApplyRecords,
): Promise<CarriedPlan> {
  const connection = await ctx.read((tx) => requireConnection(ctx, tx, id));
  await refuseOthersRecords(ctx.runtime, connection);
  const isGiven = Boolean(input.credential_id ?? input.provider ?? input.fields);
  const consent = isGiven ? null : await revertByConsent(ctx, connection, input);
  if (consent !== null) return consent;
  const target = await chooseTarget(ctx, connection, input);
  const elsewhere = await zonesElsewhere(ctx.runtime, connection, target);
  return carryPlan(ctx, connection, target, {
    isDryRun: input.dry_run ?? false,
    action: "connection.revert_records",
    isAllOrNothing: false,
    notes: elsewhere.map((zone) => `There is something to revert in ${zone} too.`),
    plan: () => planUndo(ctx.runtime, connection, target, ctx.signal),
  });
}

/** By the customer's consent, where they gave it and it was used; null where not. */
async function revertByConsent(
  ctx: ServiceContext,
  connection: Connection,
  input: ApplyRecords,
): Promise<CarriedPlan | null> {
  const grant = await findGrant(ctx.runtime, connection.id);
  if (grant === null || grant.appliedAt === null) return null;
  const provider = grant.providerId;
  const dryRun = input.dry_run ?? false;
  const plan = dryRun
    ? planGrantRevert(connection, grant)
    : await withProviderErrors(provider, ctx, () => revertByGrant(ctx, connection, grant));
  if (!dryRun) {
    const details = { provider, zone: plan.zone };
    await follow(ctx, connection, "connection.revert_records", details);
  }
  return { dryRun, applied: !dryRun, provider, zone: plan.zone, changes: plan.changes, notes: [] };
}

/** The records lead to the same edge for everybody: another holder lives on them. */
export async function refuseOthersRecords(runtime: Runtime, connection: Connection): Promise<void> {
  const holder = await runtime.system((tx) => selectClaimHolder(tx, connection.hostname));
  if (holder && holder.connectionId !== connection.id) {
    throw new AppError("conflict", `${connection.hostname} is in use by another connection`);
  }
}

export async function planUndo(
  runtime: Runtime,
  connection: Connection,
  target: WritableZone,
  signal: AbortSignal,
): Promise<Plan> {
  const { ours, before, found } = footprint(await writesTo(runtime, connection, target));
  const zone = target.zone.name;
  const listing = await readZone(runtime, connection, target, signal);
  const changes = [...ours.map(put), ...before.map(taken), ...found.map(kept)];
  return planRevert({ zone, changes }, listing);
}

/** All writes together, as the one write that they come to. */
function put(record: DnsRecord): Change {
  return { ...step(record), action: "create", existing: [] };
}

function taken(record: DnsRecord): Change {
  return { ...step(record), action: "delete", existing: [record] };
}

function kept(record: DnsRecord): Change {
  return { ...step(record), action: "keep", existing: [], wasThere: true };
}

function step(record: DnsRecord): Pick<Change, "id" | "record" | "reason" | "replaceable"> {
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

/** The zones in which something of ours may be left, with the credential that last wrote there. */
export async function zonesToRevert(
  runtime: Runtime,
  connection: Connection,
): Promise<readonly Pick<PastWrite, "provider" | "zone" | "credentialId">[]> {
  const writes = await runtime.system((tx) => selectDnsWrites(tx, connection.id));
  const groups = Map.groupBy(writes, ({ provider, zone }) => `${provider} ${zone}`);
  return [...groups.values()].flatMap((group) => {
    const { ours, before } = footprint(group);
    const last = group.at(-1);
    return last === undefined || ours.length + before.length === 0 ? [] : [last];
  });
}

type Place = Pick<PastWrite, "provider" | "zone" | "credentialId">;

const patienceMs = 8_000;

/**
 * Reverts what can be reverted with stored credentials, for a connection that has just ended. It
 * does not fail: what is left is on the timeline, for `records:revert` with the credential given.
 */
export async function revertArchived(ctx: ServiceContext, connection: Connection): Promise<void> {
  await revertConsent(ctx, connection);
  for (const place of await zonesToRevert(ctx.runtime, connection)) {
    try {
      await refuseOthersRecords(ctx.runtime, connection);
      const reason = await revertPlace(ctx, connection, place);
      if (reason !== null) await noteLeft(ctx, connection, place, reason);
    } catch (error) {
      const reason = expected(error, ctx.signal);
      if (reason === null) throw error;
      await noteLeft(ctx, connection, place, reason);
    }
  }
}

/** What the customer's consent had the provider write, it can have it take out. */
async function revertConsent(ctx: ServiceContext, connection: Connection): Promise<void> {
  const grant = await findGrant(ctx.runtime, connection.id);
  if (grant === null || grant.appliedAt === null) return;
  try {
    await refuseOthersRecords(ctx.runtime, connection);
    await revertByGrant(ctx, connection, grant);
  } catch (error) {
    // What is left shows below, among the places where something of ours may be.
    if (expected(error, ctx.signal) === null) throw error;
  }
}

function expected(error: unknown, signal: AbortSignal): string | null {
  if (error instanceof ProviderError) return error.message;
  if (error instanceof AppError && error.code === "conflict") return error.message;
  return signal.aborted ? "the provider did not answer in time" : null;
}

/** Why something was left, or null when nothing is. */
async function revertPlace(
  ctx: ServiceContext,
  connection: Connection,
  place: Place,
): Promise<string | null> {
  const { runtime, signal } = ctx;
  const target = await targetFor(ctx, connection, place);
  if (target === null) return "no stored credential sees the zone";
  const plan = await withZone(runtime, target, { patienceMs, signal }, async () => {
    const undo = await planUndo(runtime, connection, target, signal);
    const isChange = undo.changes.some(({ action }) => action === "create" || action === "delete");
    if (isChange) await applyPlan(runtime, connection, target, undo, signal);
    return undo;
  });
  if (plan === null) return "the zone is being written by somebody else";
  const stuck = plan.changes.filter(({ action }) => action === "conflict");
  return stuck.length === 0 ? null : stuck.map(({ reason }) => reason).join(" ");
}

/** The credential that wrote it; else one that may be used without having been named. */
async function targetFor(
  ctx: ServiceContext,
  connection: Connection,
  { provider, zone, credentialId }: Place,
): Promise<WritableZone | null> {
  const { runtime, signal } = ctx;
  const actor = actorLabel(ctx.actor);
  const credential =
    credentialId === null
      ? null
      : await ctx.read((tx) => selectSealedCredential(tx, connection.applicationId, credentialId));
  if (credential) {
    const purpose = purposeOf(connection, actor);
    const { opened, zones } = await listZones(runtime, purpose, credential, signal);
    const target = await pickZone(runtime, connection, opened, zones, signal);
    return target?.zone.name === zone ? target : null;
  }
  if (!connection.mayUseCredentials) return null;
  const found = await findWritableZone(runtime, connection, actor, signal);
  if (found.outcome === "none") return null;
  const { target } = found;
  return target.manifest.slug === provider && target.zone.name === zone ? target : null;
}

async function noteLeft(
  ctx: ServiceContext,
  connection: Connection,
  { provider, zone }: Place,
  reason: string,
): Promise<void> {
  await ctx.runtime.system((tx) =>
    insertTimeline(tx, connection, {
      kind: "write",
      fromState: null,
      toState: null,
      errorCode: null,
      details: { provider, zone, outcome: "not_reverted", error: reason },
      createdAt: ctx.now(),
    }),
  );
}
