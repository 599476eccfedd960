import { randomUUID } from "node:crypto";
import type { Vault } from "@mooring/vault";
import type pg from "pg";
import type { Clock } from "../clock.ts";
import { failCertificate, storeCertificate, type WantedCertificate } from "../db/certificates.ts";
import type { Host, HostTable } from "../host.ts";
import type { Log } from "../log.ts";
import type { Permission } from "../permission.ts";
import type { Budget } from "./budget.ts";
import { IssueError, type IssueErrorCode, type Issuer } from "./issuer.ts";
import type { Preflight } from "./preflight.ts";
import { renewAt, retryMs } from "./renewal.ts";
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
}

const minute = 60_000;
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
    const error = limit.aborted ? tooLate(thrown) : thrown;
    if (!(error instanceof IssueError)) throw error;
    parts.log.warn(
      { err: error, hostname: wanted.hostname, attempt: wanted.failures + 1 },
      "certificate not issued",
    );
    const afterMs = Math.max(
      retryMs(wanted.failures, parts.random()),
      (error.retryAfterSeconds ?? 0) * 1_000,
    );
    await fail(parts, wanted, {
      errorCode: error.code,
      message: error.message,
      afterMs,
      counts: true,
    });
  }
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
  if (host?.epoch !== wanted.epoch)
    return await delay(parts, wanted, "the name is not held now", minute);
  if (!(await parts.permission.isAllowed(wanted.hostname, signal))) {
    // No answer because we stop is not a no.
    signal.throwIfAborted();
    return await delay(parts, wanted, "permission was not given", minute);
  }
  const issuer = issuerOf(parts, host, wanted);
  await parts.preflight.check(host, issuer, signal);
  const waitMs = issuer.isLimited ? await parts.budget.take(wanted) : 0;
  if (waitMs > 0) {
    return await fail(parts, wanted, {
      errorCode: "ca_rate_limited",
      message: "the order waits for its share of the budget",
      afterMs: waitMs,
      counts: false,
    });
  }
  await obtain(parts, host, issuer, wanted, signal);
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
  const issued = await issuer.obtain(host, wanted.chain, signal);
  const sealedKey = parts.vault.seal(
    "certificate_key",
    certificateKeyContext(host.tenantId, host.hostname),
    issued.key,
  );
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
      renewAt: renewAt(issued, parts.random()),
    },
    parts.clock.now(),
  );
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
  const now = parts.clock.now();
  const dueAt = new Date(now.getTime() + failure.afterMs);
  return failCertificate(parts.pool, wanted, { ...failure, dueAt }, now);
}
