import { randomUUID } from "node:crypto";
import type { Vault } from "@mooring/vault";
import type pg from "pg";
import type { Clock, Log } from "../config/settings.ts";
import {
  failCertificate,
  postponeCertificate,
  storeCertificate,
  type WantedCertificate,
} from "../db/certificates.ts";
import type { Host, HostTable } from "../hosts/host.ts";
import type { CertificateStats } from "../metrics/metrics.ts";
import type { Budget } from "./budget.ts";
import { BudgetUsedUp, IssueError, type IssueErrorCode, type Issuer } from "./issuer.ts";
import type { Permission, Preflight } from "./preflight.ts";
import { firstAskMs, renewAt, retryMs } from "./renewal.ts";
import { certificateKeyContext } from "./seal.ts";

export interface IssueParts {
  readonly pool: pg.Pool;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly hosts: HostTable;
  readonly permission: Permission;
  readonly preflight: Preflight;
  readonly budget: Budget;
  /** The issuers for a host, in order of preference. */
  readonly issuersFor: (host: Host) => readonly Issuer[];
  readonly stats: CertificateStats;
}

const minute = 60_000;
const moment = 1_000;
/** An API that is being restarted gives no permission either. */
const afterRefusal = 10_000;
const timeLimitMs = 150_000;

/**
 * Obtains the certificate of a leased row: permission, pre-flight and budget before any order, then
 * the issuer whose turn it is, then the claim once more before it is stored.
 */
export async function issueCertificate(
  parts: IssueParts,
  wanted: WantedCertificate,
  stopping: AbortSignal,
): Promise<void> {
  const limit = AbortSignal.timeout(timeLimitMs);
  try {
    await attempt(parts, wanted, AbortSignal.any([stopping, limit]));
  } catch (thrown) {
    // What fails because we stop says nothing about the name.
    if (stopping.aborted) throw thrown;
    if (thrown instanceof BudgetUsedUp) return await hold(parts, wanted, thrown);
    const error = limit.aborted ? tooLate(thrown) : thrown;
    if (!(error instanceof IssueError)) throw error;
    await failed(parts, wanted, error);
  }
}

/** Nobody's failure: the row is due again when the budget has room for it. */
function hold(parts: IssueParts, wanted: WantedCertificate, held: BudgetUsedUp): Promise<void> {
  parts.stats.held += 1;
  return fail(parts, wanted, {
    errorCode: "ca_rate_limited",
    message: held.message,
    afterMs: held.waitMs,
    counts: false,
  });
}

function failed(parts: IssueParts, wanted: WantedCertificate, error: IssueError): Promise<void> {
  parts.stats.failed += 1;
  parts.log.warn(
    { err: error, hostname: wanted.hostname, attempt: wanted.failures + 1 },
    "certificate not issued",
  );
  const now = parts.clock.now().getTime();
  const leftMs = wanted.notAfter === null ? null : wanted.notAfter.getTime() - now;
  const afterMs = Math.max(
    retryMs(wanted.failures, parts.random(), leftMs),
    (error.retryAfterSeconds ?? 0) * 1_000,
  );
  const { code: errorCode, message } = error;
  return fail(parts, wanted, { errorCode, message, afterMs, counts: true });
}

/** A CA that never ends is a failure like another: it is told, and the next try waits its turn. */
function tooLate(cause: unknown): IssueError {
  return new IssueError("certificate_failed", "no certificate within the time limit", { cause });
}

async function attempt(
  parts: IssueParts,
  wanted: WantedCertificate,
  signal: AbortSignal,
): Promise<void> {
  const host = parts.hosts.get(wanted.hostname);
  if (host?.epoch !== wanted.epoch) {
    // The row may be here before the word that the name is held: a matter of moments, and no failure.
    const isAhead = host === null || host.epoch < wanted.epoch;
    return isAhead
      ? await postponeCertificate(parts.pool, wanted, later(parts, moment))
      : await delay(parts, wanted, "the name is not held now", minute);
  }
  if (!(await parts.permission.isAllowed(wanted.hostname, signal))) {
    // No answer because we stop is not a no.
    signal.throwIfAborted();
    return await delay(parts, wanted, "permission was not given", afterRefusal);
  }
  const issuer = issuerOf(parts, host, wanted);
  await parts.preflight.check(host, issuer, signal);
  await obtain(parts, host, issuer, wanted, signal);
}

/** Spends the budget at the last moment: what is never ordered is never counted. */
async function permitOrder(parts: IssueParts, wanted: WantedCertificate): Promise<void> {
  const waitMs = await parts.budget.take(wanted);
  if (waitMs > 0) throw new BudgetUsedUp(waitMs);
}

/** The next CA after every second failure in a row. */
function issuerOf(parts: IssueParts, host: Host, wanted: WantedCertificate): Issuer {
  const issuers = parts.issuersFor(host);
  const issuer = issuers[Math.floor(wanted.failures / 2) % issuers.length];
  if (!issuer) throw new Error("no issuer is configured");
  return issuer;
}

async function obtain(
  parts: IssueParts,
  host: Host,
  issuer: Issuer,
  wanted: WantedCertificate,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  // RFC 9773 §5: only the CA that made a certificate can be told that it is replaced.
  const replaces = wanted.issuer === issuer.name ? wanted.chain : null;
  const permit = () => permitOrder(parts, wanted);
  const issued = await issuer.obtain(host, replaces, signal, permit);
  const sealedKey = parts.vault.seal(
    "certificate_key",
    certificateKeyContext(host.tenantId, host.hostname),
    issued.key,
  );
  const now = parts.clock.now();
  const askMs = issuer.renewalInfo ? firstAskMs(issued, parts.random()) : null;
  const stored = await storeCertificate(
    parts.pool,
    wanted,
    {
      issueId: randomUUID(),
      issuer: issuer.name,
      ca: issued.ca,
      chain: issued.chain,
      sealedKey,
      notBefore: issued.notBefore,
      notAfter: issued.notAfter,
      renewAt: renewAt(issued, null, parts.random()),
      ariDueAt: askMs === null ? null : new Date(now.getTime() + askMs),
    },
    now,
  );
  if (stored) parts.stats[wanted.chain === null ? "issued" : "renewed"] += 1;
  const elapsedMs = Math.round(performance.now() - startedAt);
  parts.log.info(
    { hostname: host.hostname, issuer: issuer.name, elapsedMs, stored },
    "certificate issued",
  );
}

/** Not a failure of the name: looked at again later, nothing counted. */
function delay(
  parts: IssueParts,
  wanted: WantedCertificate,
  message: string,
  afterMs: number,
): Promise<void> {
  return fail(parts, wanted, { errorCode: "certificate_failed", message, afterMs, counts: false });
}

function fail(
  parts: IssueParts,
  wanted: WantedCertificate,
  failure: {
    readonly errorCode: IssueErrorCode;
    readonly message: string;
    readonly afterMs: number;
    readonly counts: boolean;
  },
): Promise<void> {
  const dueAt = later(parts, failure.afterMs);
  return failCertificate(parts.pool, wanted, { ...failure, dueAt }, parts.clock.now());
}

function later({ clock }: IssueParts, ms: number): Date {
  return new Date(clock.now().getTime() + ms);
}
