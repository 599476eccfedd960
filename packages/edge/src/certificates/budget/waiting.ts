import type { BudgetRow, HoldCode } from "../../db/issuance-budget.ts";
import { available, deriveRates, type IssuanceLimits, type Rate, stepMs } from "./limits.ts";

/** One limit as an order meets it. */
export interface Limit {
  readonly name: string;
  /** Null where only a hold of the CA counts. */
  readonly rate: Rate | null;
  readonly row: BudgetRow;
  /** Names that come before this one. */
  readonly ahead: number;
  /** What this order leaves for others. */
  readonly reserve: number;
}

export interface Verdict {
  readonly waitMs: number;
  readonly code: HoldCode;
  /** The limit that the order waits for; null when it need not wait. */
  readonly limit: string | null;
}

/** Rounding of times must not cost an order. */
const epsilon = 1e-3;

/** How long an order waits: for every hold of the CA, and then for the slowest of its limits. */
export function waitFor(limits: readonly Limit[], now: number): Verdict {
  let verdict: Verdict = { waitMs: 0, code: "ca_rate_limited", limit: null };
  for (const { name, rate, row, ahead, reserve } of limits) {
    const from = Math.max(now, row.heldUntil ?? 0);
    const heldMs = from - now;
    const waitMs = heldMs + (rate === null ? 0 : missingMs(rate, row, from, ahead + 1 + reserve));
    if (waitMs <= verdict.waitMs) continue;
    const code = heldMs > 0 && row.heldFor !== null ? row.heldFor : "ca_rate_limited";
    verdict = { waitMs: Math.ceil(waitMs), code, limit: name };
  }
  return verdict;
}

/** How long after `from` as many as needed can be taken. */
function missingMs(rate: Rate, { arrivesAt }: BudgetRow, from: number, needed: number): number {
  const missing = needed - available(rate, arrivesAt, from);
  return missing > epsilon ? missing * stepMs(rate) : 0;
}

/** Orders that queued names leave to the others. */
export function computeReserve({ ordersPer3Hours, tenantShare }: IssuanceLimits): number {
  return ordersPer3Hours - Math.round(ordersPer3Hours * tenantShare);
}

/** What each tenant may order without waiting in the queue, from the reserve too. */
export function firstOrders(limits: IssuanceLimits): Rate {
  return { count: computeReserve(limits), perMs: deriveRates(limits).orders.perMs };
}

/**
 * Fair queueing by start times: each name of a tenant starts, virtually, after the one before, and
 * a tenant that did not wait joins at the start that is served now. So waiting names are served one
 * by one between tenants.
 */
export function nextVirtualStart(account: BudgetRow, tenant: BudgetRow): number {
  return Math.max(account.virtualStart, tenant.virtualStart);
}
