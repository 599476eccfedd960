import type { Tx } from "../../db/engine/transaction.ts";
import { raiseCounter } from "../../db/queries/usage.ts";
import { monthOf, periodKey } from "../../domain/plan.ts";
import type { TenantScope } from "../../domain/tenancy.ts";

/** `active_domain` is the month's peak of hostnames held at once: raised when a claim is taken. */
export async function raisePeak(
  tx: Tx,
  scope: TenantScope,
  seen: { readonly held: number; readonly now: Date },
): Promise<void> {
  const period = periodKey(monthOf(seen.now));
  await raiseCounter(tx, scope, { period, kind: "active_domain", amount: seen.held });
}
