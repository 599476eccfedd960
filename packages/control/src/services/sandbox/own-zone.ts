import type { Tx } from "../../db/engine/transaction.ts";
import {
  countSandboxZones,
  insertSandboxZone,
  lockSandboxZone,
  lockZoneMaking,
} from "../../db/queries/sandbox-zones.ts";
import { AppError } from "../../domain/errors.ts";
import {
  maxZonesPerTenant,
  type SandboxZone,
  sandboxNameservers,
} from "../../domain/sandbox-zone.ts";
import type { TenantScope } from "../../domain/tenancy.ts";

/**
 * The tenant's zone, locked until the transaction ends; one that nobody has written becomes the
 * tenant's here. `conflict` when it is another's, or the tenant has as many as it may.
 */
export async function ownZone(
  tx: Tx,
  scope: TenantScope,
  zone: string,
  now: Date,
): Promise<SandboxZone> {
  const known = await lockSandboxZone(tx, scope, zone);
  if (known) return known;
  await lockZoneMaking(tx, scope);
  // Looked at again: another request of the tenant may have made it while this one waited.
  const meanwhile = await lockSandboxZone(tx, scope, zone);
  if (meanwhile) return meanwhile;
  if ((await countSandboxZones(tx, scope)) >= maxZonesPerTenant) {
    throw new AppError(
      "conflict",
      `there are ${maxZonesPerTenant} sandbox zones already; delete one that is no longer used`,
    );
  }
  const fresh: SandboxZone = {
    zone,
    tenantId: scope.tenantId,
    nameservers: sandboxNameservers,
    records: [],
    updatedAt: now,
  };
  if (!(await insertSandboxZone(tx, fresh, now))) {
    throw new AppError("conflict", "this zone belongs to somebody else; choose a random name");
  }
  return fresh;
}
