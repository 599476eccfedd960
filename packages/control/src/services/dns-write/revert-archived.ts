import { ProviderError } from "@mooring/dns";
import { selectSealedCredential } from "../../db/queries/credentials.ts";
import { insertTimeline } from "../../db/queries/events.ts";
import type { Connection } from "../../domain/connection.ts";
import type { PastWrite } from "../../domain/dns-write.ts";
import { AppError } from "../../domain/errors.ts";
import { actorLabel } from "../../domain/tenancy.ts";
import type { ServiceContext } from "../context.ts";
import { findGrant } from "../domain-connect/grant.ts";
import { revertByGrant } from "../domain-connect/revert-by-grant.ts";
import { applyPlan } from "./apply-plan.ts";
import { findWritableZone, pickZone, purposeOf, type WritableZone } from "./find-zone.ts";
import { listZones } from "./open-provider.ts";
import { planUndo, refuseOthersRecords, zonesToRevert } from "./revert-records.ts";
import { withZone } from "./zone-lease.ts";

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
