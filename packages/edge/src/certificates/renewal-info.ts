import type { RenewalInfo } from "../acme/ari.ts";
import {
  type AskedCertificate,
  askLater,
  claimDueRenewalInfo,
  type KeptRenewalInfo,
  keepRenewalInfo,
} from "../db/renewal-info.ts";
import type { IssueParts } from "./issue.ts";
import type { Issuer } from "./issuer.ts";
import { isWithdrawn, nextAskMs, renewAt } from "./renewal.ts";

export type AskParts = Pick<
  IssueParts,
  "pool" | "clock" | "log" | "random" | "hosts" | "issuersFor" | "stats"
>;

/** Questions to CAs in one pass: with the pauses between passes, a rate that no CA minds. */
const atOnce = 20;
/** After which another edge asks, should this one die meanwhile. */
const leaseMs = 600_000;

/**
 * One pass over the certificates whose CA is to be asked when it wishes a renewal (RFC 9773). The
 * number that were due; `atOnce` of them means that there may be more.
 */
export async function askRenewalInfo(parts: AskParts, signal: AbortSignal): Promise<number> {
  const now = parts.clock.now();
  const due = await claimDueRenewalInfo(parts.pool, now, later(now, leaseMs), atOnce);
  await Promise.all(due.map((asked) => askOne(parts, asked, signal)));
  return due.length;
}

async function askOne(
  parts: AskParts,
  asked: AskedCertificate,
  signal: AbortSignal,
): Promise<void> {
  const host = parts.hosts.get(asked.hostname);
  const issuers = host === null ? [] : parts.issuersFor(host);
  const issuer = issuers.find(({ name }) => name === asked.issuer);
  // The CA is no longer among those that we use: the back-stop alone decides.
  if (issuer?.renewalInfo === undefined) return await askLater(parts.pool, asked, null);
  const info = await wishOf(parts, issuer, asked, signal);
  const now = parts.clock.now();
  if (info === null) {
    return await askLater(parts.pool, asked, later(now, nextAskMs(null, parts.random())));
  }
  await keep(parts, asked, info, now);
}

/** An answer that cannot be had or read is no wish (RFC 9773 §4.3.3). */
async function wishOf(
  { log, stats }: AskParts,
  issuer: Issuer,
  { hostname, chain }: AskedCertificate,
  signal: AbortSignal,
): Promise<RenewalInfo | null> {
  stats.asked += 1;
  try {
    return (await issuer.renewalInfo?.(chain, signal)) ?? null;
  } catch (error) {
    if (!signal.aborted) log.debug({ err: error, hostname }, "no renewal information");
    return null;
  }
}

async function keep(
  { pool, random, log }: AskParts,
  asked: AskedCertificate,
  info: RenewalInfo,
  now: Date,
): Promise<void> {
  const kept: KeptRenewalInfo = {
    start: info.start.toISOString(),
    end: info.end.toISOString(),
    explanationUrl: info.explanationUrl,
    withdrawn: isWithdrawn(asked, info, now),
    askedAt: now.toISOString(),
  };
  // The moment is drawn once a window: drawn anew at each look, early ones would win.
  const isSame = asked.known?.start === kept.start && asked.known.end === kept.end;
  const at = isSame ? asked.renewAt : renewAt(asked, info, random());
  const askAt = later(now, nextAskMs(info.retryAfterSeconds, random()));
  await keepRenewalInfo(pool, asked, { info: kept, renewAt: at, askAt }, now);
  if (kept.withdrawn && asked.known?.withdrawn !== true) {
    const { hostname, notAfter } = asked;
    const { explanationUrl } = kept;
    log.warn({ hostname, notAfter, explanationUrl }, "the CA wants the certificate replaced now");
  }
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
