import type { Tx } from "../../db/engine/transaction.ts";
import { insertAudit } from "../../db/queries/operator/audit.ts";
import {
  countTenant,
  revokeAccess,
  type TenantCounts,
} from "../../db/queries/operator/tenant-removal.ts";
import { type Tenant, updateTenantMarks } from "../../db/queries/operator/tenants.ts";
import { AppError } from "../../domain/errors.ts";
import type { Runtime } from "../runtime.ts";
import { requireNotDeleted, requireTenant } from "./tenants.ts";

/** Between the operator's call and the removal of the rows. */
export const removalAfterMs = 30 * 86_400_000;

const longestReason = 500;

/**
 * The tenant's names are served by a maintenance page and its callers cannot write. Checks,
 * certificates and webhooks continue, so that nothing is lost. A repeat changes the reason.
 */
export function suspendTenant(
  runtime: Runtime,
  idOrName: string,
  reason: string | null,
): Promise<Tenant> {
  if (reason !== null && (reason.length < 1 || reason.length > longestReason)) {
    throw new AppError("invalid", `a reason has 1 to ${longestReason} characters`);
  }
  return runtime.transaction(async (tx) => {
    const tenant = await requireTenant(tx, idOrName);
    requireNotDeleted(tenant);
    const now = runtime.clock.now();
    const marks = { suspendedAt: now, suspendedReason: reason, deletedAt: null };
    const suspended = await updateTenantMarks(tx, tenant.id, marks);
    await auditMark(tx, tenant, now, "tenant.suspend", { from: tenant.state, reason });
    return suspended;
  });
}

export interface Resumed {
  readonly tenant: Tenant;
  readonly from: Tenant["state"];
}

/**
 * Ends a suspension or a deletion that has not removed anything. What a deletion has archived and
 * revoked by then stays so.
 */
export function resumeTenant(runtime: Runtime, idOrName: string): Promise<Resumed> {
  return runtime.transaction(async (tx) => {
    const tenant = await requireTenant(tx, idOrName);
    const now = runtime.clock.now();
    if (tenant.state === "active") return { tenant, from: tenant.state };
    if (tenant.deletedAt !== null && removalStart(tenant.deletedAt) <= now) {
      throw new AppError("conflict", `${tenant.name} was deleted 30 days ago and is being removed`);
    }
    const marks = { suspendedAt: null, suspendedReason: null, deletedAt: null };
    const resumed = await updateTenantMarks(tx, tenant.id, marks);
    await auditMark(tx, tenant, now, "tenant.resume", { from: tenant.state });
    return { tenant: resumed, from: tenant.state };
  });
}

export interface TenantDeletion {
  readonly tenant: Tenant;
  /** Before anything was archived or revoked. */
  readonly counts: TenantCounts;
  /** When its rows are removed. */
  readonly removedAfter: Date;
  readonly isApplied: boolean;
}

/**
 * Says what a deletion would do; with `isApplied` begins it. Keys and sessions end in this
 * transaction. Workers archive the connections, turn webhooks off when the last event is delivered,
 * and remove all rows after 30 days. A repeat changes nothing.
 */
export function deleteTenant(
  runtime: Runtime,
  idOrName: string,
  { isApplied }: { readonly isApplied: boolean },
): Promise<TenantDeletion> {
  return runtime.transaction(async (tx) => {
    const tenant = await requireTenant(tx, idOrName);
    const counts = await countTenant(tx, tenant.id);
    const now = runtime.clock.now();
    const removedAfter = removalStart(tenant.deletedAt ?? now);
    if (!isApplied || tenant.deletedAt !== null) {
      return { tenant, counts, removedAfter, isApplied };
    }
    const marks = {
      suspendedAt: now,
      suspendedReason: tenant.suspendedReason,
      deletedAt: now,
    };
    const deleted = await updateTenantMarks(tx, tenant.id, marks);
    await revokeAccess(tx, tenant.id, now);
    await auditMark(tx, tenant, now, "tenant.delete", {
      name: tenant.name,
      from: tenant.state,
      counts,
    });
    return { tenant: deleted, counts, removedAfter, isApplied };
  });
}

/** When the rows of a tenant that was deleted then are removed. */
export function removalStart(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + removalAfterMs);
}

async function auditMark(
  tx: Tx,
  tenant: Tenant,
  at: Date,
  action: `tenant.${string}`,
  details: object,
): Promise<void> {
  await insertAudit(tx, {
    tenantId: tenant.id,
    environment: null,
    at,
    actor: "operator",
    action,
    subject: `tenant:${tenant.id}`,
    details,
  });
}
