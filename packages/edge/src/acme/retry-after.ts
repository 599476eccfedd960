import type { Clock } from "../clock.ts";

const LONGEST_SECONDS = 10 * 365 * 86_400;

/** Seconds from now, whichever of its two forms the header has (RFC 9110 §10.2.3); null without. */
export function retryAfterOf(headers: Headers, clock: Clock): number | null {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(value)) return Math.min(Number(value), LONGEST_SECONDS);
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return null;
  const seconds = Math.ceil((date - clock.now().getTime()) / 1_000);
  return Math.min(Math.max(seconds, 0), LONGEST_SECONDS);
}
