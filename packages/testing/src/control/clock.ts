import type { Clock } from "@mooring/postgres";

export interface TestClock extends Clock {
  advance(ms: number): void;
}

/**
 * Starts at the real time, since other libraries check tokens and certificates; moves on demand.
 */
export function createTestClock(): TestClock {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    advance(ms) {
      offsetMs += ms;
    },
  };
}
