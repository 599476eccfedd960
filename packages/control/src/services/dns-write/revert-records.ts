import { type Change, type DnsRecord, type Plan, planRevert } from "@mooring/dns";
import { selectClaimHolder } from "../../db/queries/claims.ts";
import { selectDnsWrites } from "../../db/queries/dns-writes.ts";
import type { Connection } from "../../domain/connection.ts";
import { footprint, type PastWrite } from "../../domain/dns-write.ts";
import { AppError } from "../../domain/errors.ts";
import { requireConnection } from "../connections/access.ts";
import type { ServiceContext } from "../context.ts";
import { findGrant } from "../domain-connect/grant.ts";
import { planGrantRevert, revertByGrant } from "../domain-connect/revert-by-grant.ts";
import type { Runtime } from "../runtime.ts";
import { type CarriedPlan, carryPlan, follow } from "./apply-records.ts";
import { atProvider, chooseTarget } from "./choose-target.ts";
import type { WritableZone } from "./find-zone.ts";
import { writesTo } from "./plan-records.ts";
import { readZone } from "./read-zone.ts";
import type { ApplyRecords } from "./schemas.ts";

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
    : await atProvider(provider, ctx, () => revertByGrant(ctx, connection, grant));
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
