import type { Tx } from "../../db/engine/transaction.ts";
import { insertCause, takeFromQuota } from "../../db/queries/usage.ts";
import { monthOf, periodKey } from "../../domain/plan.ts";
import type { TenantScope } from "../../domain/tenancy.ts";

/** Counts an issued certificate once. It is there already, so that no limit applies. */
export async function countCertificate(
  tx: Tx,
  scope: TenantScope,
  issueId: string,
  now: Date,
): Promise<void> {
  if (!(await insertCause(tx, scope, { kind: "cert", id: issueId, at: now }))) return;
  await takeFromQuota(tx, scope, { period: periodKey(monthOf(now)), kind: "cert", limit: null });
}
