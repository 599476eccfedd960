import { lockConnection } from "../../db/queries/connections/connections.ts";
import { lockHostname } from "../../db/queries/connections/hostname-locks.ts";
import { insertAudit } from "../../db/queries/operator/audit.ts";
import {
  type DeletedTenant,
  deleteTenant,
  endWebhooks,
  extendRemoval,
  leaseRemoval,
  lockDeleted,
  removeRows,
  selectOpenConnections,
  selectOpenDeletions,
} from "../../db/queries/operator/tenant-removal.ts";
import { archiveIn } from "../connections/archive.ts";
import { endSignIn } from "../oauth/retained.ts";
import type { Runtime } from "../runtime.ts";
import { removalAfterMs } from "./tenant-states.ts";

/** A worker that was killed is replaced after so long. */
const leaseMs = 60_000;
/** Connections between two extensions of the lease; each is archived in its own transaction. */
const archivedPerLease = 50;
/** Rows of a table in one transaction. */
const pieceSize = 1_000;

/**
 * Continues every deletion: 1. archives what is not archived; 2. turns webhooks off when the last
 * event is delivered; 3. removes all rows, 30 days after the operator's call. Each step can be cut
 * off and is repeated. Any number of workers may call it at once; one at a time has a tenant.
 */
export async function removeTenants(runtime: Runtime): Promise<void> {
  const open = await runtime.transaction((tx) => selectOpenDeletions(tx, removalTime(runtime)));
  for (const tenant of open) {
    try {
      await removeTenant(runtime, tenant);
    } catch (error) {
      // It is tried again, and does not stop those after it.
      runtime.log.warn({ err: error, tenantId: tenant.id }, "deletion of a tenant interrupted");
    }
  }
}

async function removeTenant(runtime: Runtime, tenant: DeletedTenant): Promise<void> {
  const lease = { now: runtime.clock.now(), until: leaseEnd(runtime) };
  if (!(await runtime.transaction((tx) => leaseRemoval(tx, tenant.id, lease)))) return;
  try {
    await continueDeletion(runtime, tenant);
  } finally {
    await runtime.transaction((tx) => extendRemoval(tx, tenant.id, null));
  }
}

async function continueDeletion(runtime: Runtime, tenant: DeletedTenant): Promise<void> {
  await archiveAll(runtime, tenant);
  await runtime.transaction(async (tx) => {
    if (await lockDeleted(tx, tenant.id, runtime.clock.now())) await endWebhooks(tx, tenant.id);
  });
  if (removalTime(runtime) >= tenant.deletedAt) await removeAll(runtime, tenant);
}

async function archiveAll(runtime: Runtime, { id: tenantId }: DeletedTenant): Promise<void> {
  for (;;) {
    const open = await runtime.transaction((tx) =>
      selectOpenConnections(tx, tenantId, archivedPerLease),
    );
    if (open.length === 0) return;
    for (const connection of open) {
      if (!(await archive(runtime, tenantId, connection))) return;
    }
    await runtime.transaction((tx) => extendRemoval(tx, tenantId, leaseEnd(runtime)));
  }
}

/** False when the tenant was resumed meanwhile. */
async function archive(
  runtime: Runtime,
  tenantId: string,
  { id, hostname }: { readonly id: string; readonly hostname: string },
): Promise<boolean> {
  const now = runtime.clock.now();
  const isDeleted = await runtime.transaction(async (tx) => {
    await lockHostname(tx, hostname);
    if (!(await lockDeleted(tx, tenantId, now))) return false;
    const connection = await lockConnection(tx, id);
    const why = { now, actor: "operator", reason: "deleted" } as const;
    if (connection) await archiveIn(runtime, tx, connection, why);
    return true;
  });
  if (isDeleted) await endSignIn(runtime, id);
  return isDeleted;
}

async function removeAll(runtime: Runtime, { id: tenantId }: DeletedTenant): Promise<void> {
  let isLeft = true;
  while (isLeft) {
    isLeft = await runtime.transaction(async (tx) => {
      if (!(await lockDeleted(tx, tenantId, removalTime(runtime)))) return false;
      await extendRemoval(tx, tenantId, leaseEnd(runtime));
      if (await removeRows(tx, tenantId, pieceSize)) return true;
      await insertAudit(tx, {
        tenantId,
        environment: null,
        at: runtime.clock.now(),
        actor: "service",
        action: "tenant.remove",
        subject: `tenant:${tenantId}`,
      });
      await deleteTenant(tx, tenantId);
      return false;
    });
  }
  runtime.log.info({ tenantId }, "deleted tenant removed");
}

/** Tenants that were deleted by then are removed now. */
function removalTime({ clock }: Runtime): Date {
  return new Date(clock.now().getTime() - removalAfterMs);
}

function leaseEnd({ clock }: Runtime): Date {
  return new Date(clock.now().getTime() + leaseMs);
}
