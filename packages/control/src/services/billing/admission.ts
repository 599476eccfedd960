import type { Tx } from "../../db/engine/transaction.ts";
import {
  countQuotaWaits,
  endQuotaWaits,
  holdsHostname,
  isInQuotaWaits,
  lockHeld,
  selectWaitingTenants,
  type WaitingTenant,
} from "../../db/queries/billing/quota-waits.ts";
import { requestRecheck } from "../../db/queries/connections/due-connections.ts";
import { type Connection, holdsClaim } from "../../domain/connections/connection.ts";
import type { Observation } from "../../domain/connections/observation.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import type { Runtime } from "../runtime.ts";
import { findPlan, raisePeak } from "./usage.ts";

/**
 * Whether the plan leaves no room for a name that is proven now, or that waits since it was proven.
 * A name that was let through stays: a smaller plan ends nothing, and a drifted name returns. In
 * the transaction of the proof, whose tenant's count is then locked: of many names with one left to
 * go, exactly one goes. Who waits counts, so that nobody overtakes.
 */
export async function exceedsQuota(
  runtime: Runtime,
  tx: Tx,
  connection: Connection,
  { ownership }: Observation,
): Promise<boolean> {
  if (connection.environment !== "live") return false;
  if (connection.state === "verified") return isInQuotaWaits(tx, connection.id);
  if (holdsClaim(connection.state) || ownership?.outcome !== "match") return false;
  const limit = await activeLimit(runtime, tx, connection);
  if (limit === null) return false;
  const held = await lockHeld(tx, connection);
  // It takes the hostname over from another one of the tenant.
  const released = (await holdsHostname(tx, connection)) ? 1 : 0;
  return held - released + 1 > limit;
}

/** Names let through in one transaction. */
const pieceSize = 100;

/**
 * Lets names continue that wait, as many as the plan leaves room for: it may have grown, a name may
 * have been archived, and the operator may have changed what plans allow. One statement where
 * nobody waits.
 */
export async function admitWaiting(runtime: Runtime): Promise<void> {
  const all = await runtime.system(selectWaitingTenants);
  for (const tenant of all) {
    if (roomFor(runtime, tenant) <= 0) continue;
    while (await admitPiece(runtime, tenant));
  }
}

/** As far as a count without a lock can say. */
function roomFor({ plans }: Runtime, { plan: id, environment, held, waiting }: WaitingTenant) {
  const limit = plans.find((plan) => plan.id === id)?.limits.active_domain ?? null;
  return limit === null || environment !== "live" ? waiting : limit - (held - waiting);
}

/** Whether there may be more to let through. */
function admitPiece(runtime: Runtime, scope: TenantScope): Promise<boolean> {
  return runtime.system(async (tx) => {
    const now = runtime.clock.now();
    const limit = await activeLimit(runtime, tx, scope);
    const active = (await lockHeld(tx, scope)) - (await countQuotaWaits(tx, scope));
    const room = limit === null ? pieceSize : Math.min(pieceSize, limit - active);
    if (room <= 0) return false;
    const admitted = await endQuotaWaits(tx, scope, room);
    for (const id of admitted) await requestRecheck(tx, id, now);
    if (admitted.length > 0) await raisePeak(tx, scope, { held: active + admitted.length, now });
    return admitted.length === pieceSize;
  });
}

/** The test environment has none. */
async function activeLimit(
  runtime: Runtime,
  tx: Tx,
  { tenantId, environment }: TenantScope,
): Promise<number | null> {
  if (environment !== "live") return null;
  return (await findPlan(runtime, tx, tenantId)).limits.active_domain;
}
