import { randomUUID } from "node:crypto";
import type { Clock } from "@mooring/postgres";
import type { Vault } from "@mooring/vault";
import type pg from "pg";
import type { CaError } from "../../acme/error.ts";
import type { Log } from "../../config/settings.ts";
import {
  certificateKeyContext,
  type DueCertificate,
  deferCertificate,
  failCertificate,
  postponeCertificate,
  storeCertificate,
} from "../../db/certificates.ts";
import { holdCertificate } from "../../db/waiting-certificates.ts";
import type { Host, HostTable } from "../../hosts/host.ts";
import type { CertificateStats } from "../../metrics/metrics.ts";
import type { Budget } from "../budget/budget.ts";
import { type Attempt, underBudget } from "../budget/reserve.ts";
import { IssueError, type IssueErrorCode, type Issuer, OrderWaits } from "./issuer.ts";
import { NotReady } from "./not-ready.ts";
import type { Permission, Preflight } from "./preflight.ts";
import { firstAskMs, renewAt, retryMs } from "./renewal.ts";

export interface IssueParts {
  readonly pool: pg.Pool;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly hosts: Pick<HostTable, "get">;
  readonly permission: Permission;
  readonly preflight: Pick<Preflight, "check">;
  readonly budget: Budget;
  /** The issuers for a host, in order of preference. */
  readonly issuersFor: (host: Host) => readonly Issuer[];
  readonly stats: CertificateStats;
}

/** The row may be read before the notification of its claim. */
const hostSyncMs = 1_000;
const staleClaimMs = 60_000;
/** Short, because an API that is restarting gives no permission either. */
const permissionRetryMs = 10_000;
/** `Retry-After` of a CA is believed up to this. */
const longestRetryMs = 86_400_000;
export const issueTimeoutMs = 150_000;

/**
 * Obtains the certificate of a leased row: budget, permission and preflight before any order, then
 * the issuer, then the claim is checked once more when it is stored.
 */
export async function issueCertificate(
  parts: IssueParts,
  due: DueCertificate,
  stopping: AbortSignal,
): Promise<void> {
  const limit = AbortSignal.timeout(issueTimeoutMs);
  try {
    await attempt(parts, due, AbortSignal.any([stopping, limit]));
  } catch (thrown) {
    // A failure caused by a stop says nothing about the name.
    if (stopping.aborted) throw thrown;
    if (thrown instanceof OrderWaits) return await postpone(parts, due, thrown);
    if (thrown instanceof NotReady && isFirst(due)) return await wait(parts, due, thrown);
    const error = limit.aborted ? timedOut(thrown) : asFailure(thrown);
    if (!(error instanceof IssueError)) throw error;
    await failed(parts, due, error);
  }
}

/** Not a failure: the row is due again when the queue has come to it. */
function postpone(parts: IssueParts, due: DueCertificate, held: OrderWaits): Promise<void> {
  parts.stats.held += 1;
  const { code, message, position, waitMs, caError } = held;
  const hold = { code, message, position, caError, dueAt: later(parts, waitMs) };
  return holdCertificate(parts.pool, due, hold, parts.clock.now());
}

function isFirst(due: DueCertificate): boolean {
  return due.chain === null;
}

const firstWaitMs = 3_000;
const longestWaitMs = 300_000;

/**
 * Not a failure: the records of a new name are not right yet. Due again after 3, 6, 12 s … 5 min,
 * and at the latest when the answer that was seen has run out. The control plane makes the row due
 * as soon as a check of its own finds the records right.
 */
function wait(parts: IssueParts, due: DueCertificate, reason: NotReady): Promise<void> {
  const { hostname, waits } = due;
  const { message, cacheSeconds } = reason;
  parts.log.debug({ hostname, reason: message, waits }, "order waits for dns");
  const growingMs = Math.min(firstWaitMs * 2 ** Math.min(waits, 10), longestWaitMs);
  const expiryMs = cacheSeconds === null ? longestWaitMs : cacheSeconds * 1_000;
  const afterMs = Math.max(firstWaitMs, Math.min(growingMs, expiryMs));
  return deferCertificate(parts.pool, due, { message, dueAt: later(parts, afterMs) });
}

/** A served name that no longer resolves to us cannot be renewed: that is a failure. */
function asFailure(thrown: unknown): unknown {
  if (!(thrown instanceof NotReady)) return thrown;
  return new IssueError("certificate_failed", thrown.message, { cause: thrown });
}

function failed(parts: IssueParts, due: DueCertificate, error: IssueError): Promise<void> {
  parts.stats.failed += 1;
  parts.log.warn(
    { err: error, hostname: due.hostname, attempt: due.failures + 1 },
    "certificate not issued",
  );
  const now = parts.clock.now().getTime();
  const leftMs = due.notAfter === null ? null : due.notAfter.getTime() - now;
  const backoffMs = retryMs(due.failures, parts.random(), leftMs);
  const afterMs = Math.max(
    Math.min(backoffMs, untilExpiryMs(due, now)),
    Math.min((error.retryAfterSeconds ?? 0) * 1_000, longestRetryMs),
  );
  const { code: errorCode, message, caError } = error;
  return fail(parts, due, { errorCode, message, caError, afterMs, counts: true });
}

/** Caches drop an entry when its TTL has ended, by their own clocks. */
const cacheMarginMs = 5_000;

/**
 * The CA may have asked a cache with an older answer: the next try is at its expiry at the latest.
 */
function untilExpiryMs({ cachedUntil }: DueCertificate, now: number): number {
  const leftMs = cachedUntil === null ? 0 : cachedUntil.getTime() - now;
  return leftMs > 0 ? leftMs + cacheMarginMs : Number.POSITIVE_INFINITY;
}

/** A CA that does not finish is a failure like any other. */
function timedOut(cause: unknown): IssueError {
  return new IssueError("certificate_failed", "no certificate within the time limit", { cause });
}

async function attempt(parts: IssueParts, due: DueCertificate, signal: AbortSignal): Promise<void> {
  const host = parts.hosts.get(due.hostname);
  if (host?.epoch !== due.epoch) {
    // The row may be read before the notification of its claim; not a failure.
    const isAhead = host === null || host.epoch < due.epoch;
    return isAhead
      ? await postponeCertificate(parts.pool, due, later(parts, hostSyncMs))
      : await delay(parts, due, "the name is not claimed now", staleClaimMs);
  }
  await underBudget(parts, due, orderIssuers(parts, host, due), async (attempt) => {
    if (!(await parts.permission.isAllowed(due.hostname, signal))) {
      // A request aborted by a stop is not a refusal.
      signal.throwIfAborted();
      await delay(parts, due, "permission was not given", permissionRetryMs);
      return false;
    }
    const methods = await parts.preflight.check(host, attempt.issuer, signal);
    await obtain(parts, { host, due, methods: methods ?? undefined, ...attempt }, signal);
    return true;
  });
}

/** In order of preference; another one comes first after every second failure in a row. */
function orderIssuers(parts: IssueParts, host: Host, due: DueCertificate): readonly Issuer[] {
  const all = parts.issuersFor(host);
  const ordered = all.toSorted(
    (one, other) =>
      Number(other.name === due.preferredIssuer) - Number(one.name === due.preferredIssuer),
  );
  const first = Math.floor(due.failures / 2) % Math.max(1, ordered.length);
  return [...ordered.slice(first), ...ordered.slice(0, first)];
}

interface Obtaining extends Attempt {
  readonly host: Host;
  readonly due: DueCertificate;
  readonly methods: readonly string[] | undefined;
}

async function obtain(
  parts: IssueParts,
  { host, due, issuer, permit, methods }: Obtaining,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  // RFC 9773 §5: an order names its predecessor only at the CA that issued it.
  const replaces = due.issuer === issuer.name ? due.chain : null;
  const issued = await issuer.obtain(host, replaces, signal, permit, methods);
  const sealedKey = parts.vault.seal(
    "certificate_key",
    certificateKeyContext(host.tenantId, host.hostname),
    issued.key,
  );
  const now = parts.clock.now();
  const askMs = issuer.renewalInfo ? firstAskMs(issued, parts.random()) : null;
  const stored = await storeCertificate(
    parts.pool,
    due,
    {
      issueId: randomUUID(),
      issuer: issuer.name,
      ca: issued.ca,
      chain: issued.chain,
      fingerprint: issued.fingerprint,
      sealedKey,
      notBefore: issued.notBefore,
      notAfter: issued.notAfter,
      renewAt: renewAt(issued, null, parts.random()),
      ariDueAt: askMs === null ? null : new Date(now.getTime() + askMs),
    },
    now,
  );
  if (stored) parts.stats[due.chain === null ? "issued" : "renewed"] += 1;
  const elapsedMs = Math.round(performance.now() - startedAt);
  parts.log.info(
    { hostname: host.hostname, issuer: issuer.name, elapsedMs, stored },
    "certificate issued",
  );
}

/** Not a failure of the name: due again later, not counted. */
function delay(
  parts: IssueParts,
  due: DueCertificate,
  message: string,
  afterMs: number,
): Promise<void> {
  const errorCode = "certificate_failed";
  return fail(parts, due, { errorCode, message, caError: null, afterMs, counts: false });
}

function fail(
  parts: IssueParts,
  due: DueCertificate,
  failure: {
    readonly errorCode: IssueErrorCode;
    readonly message: string;
    readonly caError: CaError | null;
    readonly afterMs: number;
    readonly counts: boolean;
  },
): Promise<void> {
  const dueAt = later(parts, failure.afterMs);
  return failCertificate(parts.pool, due, { ...failure, dueAt }, parts.clock.now());
}

function later({ clock }: IssueParts, ms: number): Date {
  return new Date(clock.now().getTime() + ms);
}
