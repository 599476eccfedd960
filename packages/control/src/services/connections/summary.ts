import { type DayWindow, storeEndedDays } from "../../db/queries/connections/connection-days.ts";
import {
  type ConnectionSummary,
  listLargeScopes,
  selectSummary,
} from "../../db/queries/connections/connection-summary.ts";
import { stuckSince } from "../../domain/connections/stuck.ts";
import type { ServiceContext } from "../context.ts";
import type { Runtime } from "../runtime.ts";

export type { ConnectionSummary } from "../../db/queries/connections/connection-summary.ts";

const days = 30;
const expiringDays = 14;
const dayMs = 86_400_000;

/**
 * A summary that took long to count is shown again for as many times as long, up to half a minute.
 */
const slowMs = 100;
const reuseFactor = 50;
const maxReuseMs = 30_000;

/** How the tenant's connections are: by state, cause and whose move it is, and day by day. */
export async function summarizeConnections(ctx: ServiceContext): Promise<ConnectionSummary> {
  const { actor, runtime } = ctx;
  const key = `${actor.tenantId}/${actor.environment}`;
  const recent = runtime.summaries.get(key);
  if (recent !== undefined) return recent;
  const now = ctx.now();
  const window = {
    ...dayWindow(now),
    stuckSince: stuckSince(now, runtime.config.stallAfterMs),
    expiringUntil: new Date(now.getTime() + expiringDays * dayMs),
  };
  const startedAt = performance.now();
  const summary = await ctx.read((tx) => selectSummary(tx, actor, window));
  const tookMs = performance.now() - startedAt;
  if (tookMs >= slowMs) {
    runtime.summaries.set(key, summary, Math.min(tookMs * reuseFactor, maxReuseMs));
  }
  return summary;
}

/**
 * Counts the days that have ended for tenants with so many connections that a summary would take
 * long to; the first one of a day finds them stored.
 */
export async function countEndedDays(runtime: Runtime, many?: number): Promise<void> {
  const window = dayWindow(runtime.clock.now());
  for (const scope of await runtime.transaction((tx) => listLargeScopes(tx, many))) {
    await runtime.transaction((tx) => storeEndedDays(tx, scope, window));
  }
}

function dayWindow(now: Date): DayWindow {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  return { now, since: new Date(today - (days - 1) * dayMs), days };
}
