/** A secret of session tickets, as far as its age decides about its use. */
interface DatedSecret {
  readonly startsAt: Date;
}

const hour = 3_600_000;

/** How long a secret seals new tickets; it opens them for as long again. */
export const sealingMs = 12 * hour;
const openingMs = 2 * sealingMs;
/** A secret is published this long before it seals, so that every edge can open its tickets. */
const publishAheadMs = hour / 6;

/** When the next secret begins; null while the newest is not near the end of its use. */
export function nextStart(secrets: readonly DatedSecret[], now: Date): Date | null {
  const newest = Math.max(...secrets.map(({ startsAt }) => startsAt.getTime()));
  const endsAt = newest + sealingMs;
  if (endsAt - publishAheadMs > now.getTime()) return null;
  return new Date(Math.max(endsAt, now.getTime()));
}

/** Secrets that began before this open no tickets any more. */
export function deleteBefore(now: Date): Date {
  return new Date(now.getTime() - openingMs);
}

/** The secret that seals new tickets now, the newest of several; null when none does. */
export function sealingSecret<S extends DatedSecret>(secrets: readonly S[], now: Date): S | null {
  const at = now.getTime();
  const usable = secrets.filter(({ startsAt }) => {
    const ageMs = at - startsAt.getTime();
    return ageMs >= 0 && ageMs < sealingMs;
  });
  return usable.toSorted((a, b) => b.startsAt.getTime() - a.startsAt.getTime())[0] ?? null;
}

/**
 * Those that open tickets now, among them such as begin later: the clocks of two edges differ a
 * little.
 */
export function openingSecrets<S extends DatedSecret>(secrets: readonly S[], now: Date): S[] {
  const oldest = deleteBefore(now);
  return secrets.filter(({ startsAt }) => startsAt >= oldest);
}
