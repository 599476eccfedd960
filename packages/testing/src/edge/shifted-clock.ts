import type { TestContext } from "node:test";
import { until } from "../processes/until.ts";
import type { TestEdge } from "./test-edge.ts";

/** Moves the clock by which the edge of a test checks its deadlines. */
export interface ShiftedClock {
  /** Moves the clock, and waits until each of up to two open connections has been checked then. */
  advance(ms: number): Promise<void>;
}

/**
 * Only `performance.now()` is shifted: timers run as they do. Real time between two moves counts up
 * to `realMostMs`, so that a busy machine uses up no deadline.
 */
export function shiftClock(context: TestContext, edge: TestEdge, realMostMs = 1_000): ShiftedClock {
  const realNow = performance.now.bind(performance);
  let [shifted, movedAt] = [realNow(), realNow()];
  let lookups = 0;
  const now = (): number => shifted + Math.min(realNow() - movedAt, realMostMs);
  context.mock.method(performance, "now", now);
  // Every check of a connection asks whether its host is still there.
  const get = edge.hosts.get.bind(edge.hosts);
  context.mock.method(edge.hosts, "get", (hostname: string) => {
    lookups += 1;
    return get(hostname);
  });
  return {
    async advance(ms) {
      [shifted, movedAt] = [now() + ms, realNow()];
      const before = lookups;
      await until(() => lookups >= before + 4 || edge.stats.connections === 0);
    },
  };
}
