/** IMF-fixdate, and the older form with dashes (RFC 9110 §5.6.7). */
const httpDate = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;
const maxSeconds = 10 * 365 * 86_400;

/**
 * The value of a `Retry-After` header in seconds from `now`, for both of its forms (RFC 9110
 * §10.2.3): whole seconds and an HTTP date. A date in the past is 0; null when absent or
 * unreadable.
 */
export function parseRetryAfter(value: string | null, now: Date): number | null {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text), maxSeconds);
  // `Date.parse` alone would read almost anything, such as "soon 5".
  const date = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) return null;
  const seconds = Math.ceil((date - now.getTime()) / 1_000);
  return Math.min(Math.max(seconds, 0), maxSeconds);
}
