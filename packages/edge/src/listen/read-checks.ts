import type { Closable } from "../http/exchange.ts";

const checkMs = 100;
const idleCheckMs = 1_000;
/** The part of the time in which the process works, from which it is busy. */
const busyFrom = 0.5;

/**
 * Checks all connections for small reads; often while the process is busy, because then these may
 * be the reason. A check of 8,000 connections takes about 3 ms.
 */
export function startReadChecks(open: ReadonlySet<Closable>): { stop(): void } {
  let before = performance.eventLoopUtilization();
  let checkedAt = performance.now();
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    const now = performance.now();
    if (utilization < busyFrom && now - checkedAt < idleCheckMs) return;
    checkedAt = now;
    for (const one of open) one.checkReads?.();
  }, checkMs);
  return { stop: () => clearInterval(timer) };
}
