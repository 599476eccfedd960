import { type Repeating, repeatEvery } from "@mooring/postgres";
import { announce } from "../../db/certificates.ts";
import {
  certificateHealth,
  type ExpiringCertificate,
  markExpired,
  setMissingAlarms,
  takeAlarms,
} from "../../db/expiry.ts";
import type { IssueParts } from "./issue.ts";
import { askRenewalInfo } from "./renewal-info.ts";

const renewalInfoMs = 3_000;
const expiryMs = 600_000;
const budgetMs = 15_000;
/** An alarm is repeated once a day while the certificate is not renewed. */
const alarmMs = 86_400_000;

/**
 * Periodic work beside the orders: renewal information of CAs, certificates near their expiry, and
 * what is left at the CAs.
 */
export function startUpkeep(parts: IssueParts, signal: AbortSignal): readonly Repeating[] {
  const onError = (error: unknown): void =>
    parts.log.warn({ err: error }, "certificate upkeep failed");
  return [
    repeatEvery(renewalInfoMs, () => askRenewalInfo(parts, signal), { startNow: true, onError }),
    repeatEvery(expiryMs, () => checkExpiry(parts), { startNow: true, onError }),
    repeatEvery(budgetMs, () => checkBudgets(parts), { startNow: true, onError }),
  ];
}

/** Has waiting names served as soon as possible, and updates the metrics. */
export async function checkBudgets({
  budget,
  stats,
}: Pick<IssueParts, "budget" | "stats">): Promise<void> {
  await budget.sweep();
  stats.budgets = await Promise.all(budget.directories.map((each) => budget.left(each)));
}

/** Marks expired certificates, logs alarms for those close to expiry, and updates the metrics. */
export async function checkExpiry(
  parts: Pick<IssueParts, "pool" | "clock" | "log" | "stats">,
): Promise<void> {
  const { pool, clock, log, stats } = parts;
  const now = clock.now();
  for await (const expired of inPieces(() => markExpired(pool, now))) {
    await announce(pool, expired, now);
  }
  while (await setMissingAlarms(pool));
  const nextAt = new Date(now.getTime() + alarmMs);
  for await (const expiring of inPieces(() => takeAlarms(pool, now, nextAt))) {
    const isExpired = expiring.notAfter <= now;
    log.error(
      alarmFields(expiring),
      isExpired ? "certificate has expired" : "certificate close to expiry was not renewed",
    );
  }
  stats.health = await certificateHealth(pool, now);
}

async function* inPieces<T>(take: () => Promise<readonly T[]>): AsyncGenerator<T> {
  for (let piece = await take(); piece.length > 0; piece = await take()) yield* piece;
}

function alarmFields({ hostname, notAfter, failures, lastError }: ExpiringCertificate): object {
  return { hostname, notAfter: notAfter.toISOString(), failures, lastError };
}
