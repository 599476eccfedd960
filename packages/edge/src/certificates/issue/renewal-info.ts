import type { RenewalInfo } from "../../acme/ari.ts";
import {
  claimDueRenewalInfo,
  type DueRenewalInfo,
  postponeRenewalInfo,
  type StoredRenewalInfo,
  storeRenewalInfo,
} from "../../db/renewal-info.ts";
import type { IssueParts } from "./issue.ts";
import type { Issuer } from "./issuer.ts";
import { isWithdrawn, nextAskMs, renewAt } from "./renewal.ts";

export type RenewalInfoParts = Pick<
  IssueParts,
  "pool" | "clock" | "log" | "random" | "hosts" | "issuersFor" | "stats"
>;

/** Requests to CAs per pass; with the pauses between passes a moderate rate. */
const batchSize = 20;
/** After a crash of this edge another one asks after this time. */
const leaseMs = 600_000;

/**
 * Asks the CAs of due certificates for renewal information (RFC 9773), one batch. Returns how many
 * were due; `batchSize` means that there may be more.
 */
export async function askRenewalInfo(
  parts: RenewalInfoParts,
  signal: AbortSignal,
): Promise<number> {
  const now = parts.clock.now();
  const due = await claimDueRenewalInfo(parts.pool, now, later(now, leaseMs), batchSize);
  await Promise.all(due.map((asked) => askOne(parts, asked, signal)));
  return due.length;
}

async function askOne(
  parts: RenewalInfoParts,
  asked: DueRenewalInfo,
  signal: AbortSignal,
): Promise<void> {
  const host = parts.hosts.get(asked.hostname);
  const issuers = host === null ? [] : parts.issuersFor(host);
  const issuer = issuers.find(({ name }) => name === asked.issuer);
  // The CA is no longer configured: only the lifetime decides when to renew.
  if (issuer?.renewalInfo === undefined) return await postponeRenewalInfo(parts.pool, asked, null);
  const info = await fetchInfo(parts, issuer, asked, signal);
  const now = parts.clock.now();
  if (info === null) {
    return await postponeRenewalInfo(
      parts.pool,
      asked,
      later(now, nextAskMs(null, parts.random())),
    );
  }
  await store(parts, asked, info, now);
}

/** Null for a missing or unreadable answer (RFC 9773 §4.3.3). */
async function fetchInfo(
  { log, stats }: RenewalInfoParts,
  issuer: Issuer,
  { hostname, chain }: DueRenewalInfo,
  signal: AbortSignal,
): Promise<RenewalInfo | null> {
  stats.asked += 1;
  try {
    return (await issuer.renewalInfo?.(chain, signal)) ?? null;
  } catch (error) {
    if (!signal.aborted) log.debug({ err: error, hostname }, "renewal information not available");
    return null;
  }
}

async function store(
  { pool, random, log }: RenewalInfoParts,
  asked: DueRenewalInfo,
  info: RenewalInfo,
  now: Date,
): Promise<void> {
  const stored: StoredRenewalInfo = {
    start: info.start.toISOString(),
    end: info.end.toISOString(),
    explanationUrl: info.explanationUrl,
    withdrawn: isWithdrawn(asked, info, now),
    askedAt: now.toISOString(),
  };
  // Drawn once per window: drawing again at every check would favour early times.
  const isSame = asked.known?.start === stored.start && asked.known.end === stored.end;
  const at = isSame ? asked.renewAt : renewAt(asked, info, random());
  const askAt = later(now, nextAskMs(info.retryAfterSeconds, random()));
  await storeRenewalInfo(pool, asked, { info: stored, renewAt: at, askAt }, now);
  if (stored.withdrawn && asked.known?.withdrawn !== true) {
    const { hostname, notAfter } = asked;
    const { explanationUrl } = stored;
    log.warn(
      { hostname, notAfter, explanationUrl },
      "certificate withdrawn by the CA, renewing now",
    );
  }
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
