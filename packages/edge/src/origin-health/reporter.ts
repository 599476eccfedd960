import { type Clock, type Repeating, repeatEvery } from "@mooring/postgres";
import type { Log } from "../config/settings.ts";
import { maxReports, type ReportedOrigin } from "../db/origin-health.ts";
import type { OriginFeed } from "../feed/feed.ts";
import { type OriginOutcomes, OutcomeLog } from "./outcomes.ts";

/** Shares what this process sees of origins with the other edge processes and the control plane. */
export interface OriginReporter {
  readonly outcomes: OriginOutcomes;
  /** A notification: `f` or `s`, and connection ids. */
  notified(payload: string): void;
  stop(): Promise<void>;
}

const flushMs = 500;
const refreshMs = 30_000;
/** One origin may be that of thousands of connections, which all wait for their checks. */
const rechecksAtOnce = 8;
/**
 * From the report that makes an origin unreachable to the check of its connection. Until then the
 * other processes have reported their last success.
 */
const settleMs = 1_500;

/**
 * Nothing is written while origins answer. A failing one costs a few writes over all its requests,
 * in one statement for up to two hundred origins; without the feed the reports wait in memory.
 */
export function startOriginReporter(parts: {
  readonly feed: OriginFeed;
  readonly clock: Clock;
  readonly log: Log;
}): OriginReporter {
  const { feed, clock, log } = parts;
  const outcomes = new OutcomeLog(clock);
  /** When each connection is checked. */
  const checks = new Map<string, number>();

  const flush = async (): Promise<void> => {
    outcomes.sweep();
    for (;;) {
      const reports = outcomes.due(maxReports);
      if (reports.length > 0) {
        const results = await feed.report(reports);
        outcomes.reported(reports);
        planChecks(checks, results, clock.now());
      }
      if (reports.length < maxReports) break;
    }
    await inGroups(dueChecks(checks, clock.now()), async (id) => {
      await feed.recheck(id);
      checks.delete(id);
    });
  };
  const refresh = async (): Promise<void> => {
    for (const [id, lastFailure] of await feed.failing()) {
      outcomes.onFailing(id, lastFailure);
    }
  };
  const onError = (error: unknown): void => log.debug({ err: error }, "origins not reported");
  const loops: readonly Repeating[] = [
    repeatEvery(flushMs, flush, { onError }),
    repeatEvery(refreshMs, refresh, { startNow: true, onError }),
  ];
  return {
    outcomes,
    notified(payload) {
      const [kind, ...ids] = payload.split(" ");
      for (const id of ids) {
        if (kind === "f") outcomes.onFailing(id);
        else outcomes.onServing(id);
      }
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await flush().catch(onError);
    },
  };
}

async function inGroups(ids: readonly string[], work: (id: string) => Promise<void>) {
  for (let from = 0; from < ids.length; from += rechecksAtOnce) {
    await Promise.all(ids.slice(from, from + rechecksAtOnce).map(work));
  }
}

function planChecks(
  checks: Map<string, number>,
  results: readonly ReportedOrigin[],
  now: Date,
): void {
  for (const { connectionId, change } of results) {
    if (change === null || checks.has(connectionId)) continue;
    checks.set(connectionId, now.getTime() + (change === "unreachable" ? settleMs : 0));
  }
}

function dueChecks(checks: ReadonlyMap<string, number>, now: Date): string[] {
  return [...checks].flatMap(([id, at]) => (at <= now.getTime() ? [id] : []));
}
