const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** When the CA would like the certificate to be renewed (RFC 9773 §4.2). */
export interface RenewalWindow {
  readonly start: Date;
  readonly end: Date;
}

function lifeOf({ notBefore, notAfter }: Validity): number {
  return notAfter.getTime() - notBefore.getTime();
}

/** By when a renewal is begun, whatever the CA wishes: a third of the life left, half of a short one. */
function backstopOf(validity: Validity): number {
  const life = lifeOf(validity);
  return validity.notAfter.getTime() - (life < 10 * day ? life / 2 : life / 3);
}

/**
 * When to renew: some moment of the CA's window, every one as likely, but never after the back-stop.
 * Without a window, or with one that is too late, up to 5 % of the life before the back-stop, so that
 * no two herd. A moment that has passed means now.
 */
export function renewAt(validity: Validity, window: RenewalWindow | null, random: number): Date {
  const backstop = backstopOf(validity);
  const start = window === null ? backstop : window.start.getTime();
  if (window === null || start >= backstop) {
    return new Date(backstop - random * lifeOf(validity) * 0.05);
  }
  const end = Math.min(window.end.getTime(), backstop);
  return new Date(start + Math.floor(random * (end - start)));
}

/**
 * Whether the CA has drawn the window into the past although by its age the certificate would not be
 * due: it has been revoked, or is about to be.
 */
export function isWithdrawn(validity: Validity, window: RenewalWindow, now: Date): boolean {
  return window.end <= now && now.getTime() < backstopOf(validity);
}

/** From here on somebody must look: a quarter of the life left and no successor. */
export function alarmAt(validity: Validity): Date {
  return new Date(validity.notAfter.getTime() - lifeOf(validity) / 4);
}

const usualAskMs = 6 * hour;
const longestAskMs = day;

/** When the CA is first asked for its wish: after six hours, or sooner in a short life; ±20 %. */
export function firstAskMs(validity: Validity, random: number): number {
  return Math.round(Math.min(usualAskMs, lifeOf(validity) / 24) * (0.8 + random * 0.4));
}

/** The pause that the CA asked for is never cut short; after no answer it is an hour, give or take. */
export function nextAskMs(retryAfterSeconds: number | null, random: number): number {
  if (retryAfterSeconds === null) return Math.round(hour * (0.8 + random * 0.4));
  return Math.min(Math.round(retryAfterSeconds * 1_000 * (1 + random * 0.2)), longestAskMs);
}

/** The wait after each failure in a row: 1, 10, 100 minutes, then a day; ±10 %. */
const backoffMs = [minute, 10 * minute, 100 * minute, day];

/**
 * A certificate that is served gets six more tries at least before its end, however often it has
 * failed, and one that has ended four a day; `leftMs` is null where none is served yet.
 */
export function retryMs(failures: number, random: number, leftMs: number | null): number {
  const step = backoffMs[Math.min(failures, backoffMs.length - 1)] ?? day;
  const usual = Math.round(step * (0.9 + random * 0.2));
  return leftMs === null ? usual : Math.min(usual, longestRetryMs(leftMs));
}

function longestRetryMs(leftMs: number): number {
  return leftMs <= 0 ? 6 * hour : Math.max(10 * minute, Math.round(leftMs / 7));
}
