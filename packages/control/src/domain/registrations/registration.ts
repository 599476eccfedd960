import { registryDomain } from "@mooring/dns";

/** What a registry says of a domain. What it does not say for certain is null or empty. */
export interface RegistrationFacts {
  readonly expiresAt: Date | null;
  /** In EPP's spelling, such as `clientHold`; `active` where a registry says only that. */
  readonly status: readonly string[];
  readonly registrar: string | null;
}

export interface Registration extends RegistrationFacts {
  readonly domain: string;
  /** When the registry last answered. */
  readonly checkedAt: Date;
}

const hour = 3_600_000;
const day = 24 * hour;

/** An answer that is older says nothing: the domain may have been renewed since. */
export const answerLastsMs = 7 * day;

export function isCurrent({ checkedAt }: Registration, now: Date): boolean {
  return now.getTime() - checkedAt.getTime() <= answerLastsMs;
}

/**
 * The domain that a registry has registered, of a name at or below it: the private section of the
 * public suffix list does not count. Null for a public suffix.
 */
export function registeredDomain(hostname: string): string | null {
  return registryDomain(hostname.startsWith("*.") ? hostname.slice(2) : hostname);
}

/** The registration as the API and events show it. */
export function registrationSnapshot({ expiresAt, status, registrar, checkedAt }: Registration) {
  return {
    expires_at: expiresAt?.toISOString() ?? null,
    status: [...status],
    registrar,
    checked_at: checkedAt.toISOString(),
  };
}

/** With one of them the registry does not publish the domain in DNS, or is about to delete it. */
const holds: ReadonlySet<string> = new Set([
  "clientHold",
  "serverHold",
  "redemptionPeriod",
  "pendingDelete",
]);

export function holdStatuses({ status }: Pick<RegistrationFacts, "status">): readonly string[] {
  return status.filter((one) => holds.has(one));
}

/** How many days before the end somebody is notified. */
export const noticeDays = [30, 7, 1] as const;
export type NoticeDays = (typeof noticeDays)[number];

/** From here on the registration is about to end. */
export const expiringMs = noticeDays[0] * day;

export function isExpiring({ expiresAt }: RegistrationFacts, now: Date): boolean {
  return expiresAt !== null && expiresAt.getTime() - now.getTime() <= expiringMs;
}

/** What a connection was last notified: of which end, and how long before it. */
export interface Notice {
  readonly expiresAt: Date;
  readonly days: number;
}

/**
 * For so long after the end a notice is still sent: a worker that was down at the end tells late
 * rather than never. A domain whose end is long past is not about to expire.
 */
const lateMs = day;

/**
 * The notice to send now, the tightest that is due: one that was missed is not sent after it. Null
 * when none is due, or the connection has it already. An end that has moved by less than a day is
 * the same one; a later one begins a new cycle. Days are of 24 hours, so that neither clocks that
 * are set nor leap days shift them.
 */
export function dueNotice(
  expiresAt: Date | null,
  notified: Notice | null,
  now: Date,
): NoticeDays | null {
  if (expiresAt === null) return null;
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs < -lateMs) return null;
  const due = noticeDays.findLast((days) => leftMs <= days * day) ?? null;
  if (due === null || notified === null || isNewCycle(expiresAt, notified)) return due;
  return due < notified.days ? due : null;
}

function isNewCycle(expiresAt: Date, notified: Notice): boolean {
  return expiresAt.getTime() - notified.expiresAt.getTime() > day;
}

/** When the next notice of this end is due; null when all have been. */
export function nextNoticeAt(expiresAt: Date | null, now: Date): Date | null {
  if (expiresAt === null) return null;
  const times = noticeDays.map((days) => expiresAt.getTime() - days * day);
  const next = times.find((at) => at > now.getTime());
  return next === undefined ? null : new Date(next);
}

/** The domain's time of the day, so that the questions of a day are spread over it. */
function dayOffsetMs(domain: string): number {
  // FNV-1a: a spread is needed, not a secret.
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(domain)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % day;
}

function startOfDay(now: Date): number {
  return Math.floor(now.getTime() / day) * day;
}

/** When a domain that was asked about today is asked about next: at its time of the next day. */
export function nextQuestionAt(domain: string, now: Date): Date {
  return new Date(startOfDay(now) + day + dayOffsetMs(domain));
}

/** When a domain that nobody waits for is asked about first: at its next time of the day. */
export function firstQuestionAt(domain: string, now: Date): Date {
  const today = startOfDay(now) + dayOffsetMs(domain);
  return new Date(today >= now.getTime() ? today : today + day);
}
