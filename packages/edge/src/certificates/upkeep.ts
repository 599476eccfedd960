import type { Log } from "../config/settings.ts";
import { announce } from "../db/certificates.ts";
import {
  certificateHealth,
  type ExpiringCertificate,
  markExpired,
  takeAlarms,
} from "../db/expiry.ts";
import type { IssueParts } from "./issue.ts";

/** Somebody is told once a day as long as it lasts. */
const toldEveryMs = 86_400_000;

/**
 * One look at what nears its end: certificates that have ended are marked, an alarm is logged for
 * those with a quarter of their life left, and the gauges are set.
 */
export async function watchExpiry(
  parts: Pick<IssueParts, "pool" | "clock" | "log" | "stats">,
): Promise<void> {
  const { pool, clock, log, stats } = parts;
  const now = clock.now();
  for (const ended of await markExpired(pool, now)) await announce(pool, ended, now);
  const toldBefore = new Date(now.getTime() - toldEveryMs);
  for (const ending of await takeAlarms(pool, now, toldBefore)) {
    const isOver = ending.notAfter <= now;
    log.error(
      fieldsOf(ending),
      isOver ? "certificate has expired" : "certificate near its end was not renewed",
    );
  }
  stats.health = await certificateHealth(pool, now);
}

function fieldsOf({ hostname, notAfter, failures, lastError }: ExpiringCertificate): object {
  return { hostname, notAfter: notAfter.toISOString(), failures, lastError };
}

export interface Turns {
  /** No further one is begun; resolves when the one under way has ended. */
  stop(): Promise<void>;
}

/** Does something now and again and again, never twice at a time. What fails is done at the next. */
export function startTurns(everyMs: number, work: () => Promise<void>, log: Log): Turns {
  let running: Promise<void> | null = null;
  const turn = (): void => {
    running ??= work()
      .catch((error: unknown) => log.warn({ err: error }, "not done this time"))
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(turn, everyMs);
  turn();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
