import { announce } from "../db/certificates.ts";
import { type EndingCertificate, markExpired, standingOf, takeAlarms } from "../db/expiry.ts";
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
  stats.standing = await standingOf(pool, now);
}

function fieldsOf({ hostname, notAfter, failures, lastError }: EndingCertificate): object {
  return { hostname, notAfter: notAfter.toISOString(), failures, lastError };
}
