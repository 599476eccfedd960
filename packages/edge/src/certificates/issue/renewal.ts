const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** When the CA suggests to renew the certificate (RFC 9773 §4.2). */
export interface RenewalWindow {
  readonly start: Date;
  readonly end: Date;
}

function lifetimeMs({ notBefore, notAfter }: Validity): number {
  return notAfter.getTime() - notBefore.getTime();
}

/**
 * The latest start of a renewal, whatever the CA suggests: a third of the lifetime left, half of a
 * short one.
 */
export function latestRenewal(validity: Validity): number {
  const life = lifetimeMs(validity);
  return validity.notAfter.getTime() - (life < 10 * day ? life / 2 : life / 3);
}

/**
 * When to renew: a uniformly random time in the CA's window, but never after the latest start.
 * Without a window, or with one that is too late, up to 5 % of the lifetime before the latest
 * start, so that renewals are spread. A time in the past means now.
 */
export function renewAt(validity: Validity, window: RenewalWindow | null, random: number): Date {
  const latest = latestRenewal(validity);
  const start = window === null ? latest : window.start.getTime();
  if (window === null || start >= latest) {
    return new Date(latest - random * lifetimeMs(validity) * 0.05);
  }
  const end = Math.min(window.end.getTime(), latest);
  return new Date(start + Math.floor(random * (end - start)));
}

/**
 * Whether the CA has moved the window into the past although the certificate is not due by its age:
 * it has been revoked, or is about to be.
 */
export function isWithdrawn(validity: Validity, window: RenewalWindow, now: Date): boolean {
  return window.end <= now && now.getTime() < latestRenewal(validity);
}

const defaultAskMs = 6 * hour;
const maxAskMs = day;

/**
 * When the CA is first asked for renewal information: after six hours, or sooner for a short
 * lifetime; ±20 %.
 */
export function firstAskMs(validity: Validity, random: number): number {
  return Math.round(Math.min(defaultAskMs, lifetimeMs(validity) / 24) * (0.8 + random * 0.4));
}

/** The CA's `Retry-After` is never shortened; without an answer it is an hour ±20 %. */
export function nextAskMs(retryAfterSeconds: number | null, random: number): number {
  if (retryAfterSeconds === null) return Math.round(hour * (0.8 + random * 0.4));
  return Math.min(Math.round(retryAfterSeconds * 1_000 * (1 + random * 0.2)), maxAskMs);
}

/** The wait after each failure in a row: 1, 10, 100 minutes, then a day; ±10 %. */
const backoffMs = [minute, 10 * minute, 100 * minute, day];

/**
 * A served certificate gets at least six more attempts before its expiry, however often it has
 * failed, and an expired one four a day; `leftMs` is null where none is served yet.
 */
export function retryMs(failures: number, random: number, leftMs: number | null): number {
  const step = backoffMs[Math.min(failures, backoffMs.length - 1)] ?? day;
  const byFailures = Math.round(step * (0.9 + random * 0.2));
  return leftMs === null ? byFailures : Math.min(byFailures, maxRetryMs(leftMs));
}

function maxRetryMs(leftMs: number): number {
  return leftMs <= 0 ? 6 * hour : Math.max(10 * minute, Math.round(leftMs / 7));
}
