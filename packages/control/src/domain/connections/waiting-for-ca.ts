import { type Certificate, isWaitingForCa } from "../certificates/certificate.ts";

const waitingCheckMs = 300_000;

/** A name that waits for the CA is checked seldom: the edge reports when it continues. */
export function untilNextAttempt(
  found: Certificate | null,
  now: Date,
  { recheckIntervalMs }: { readonly recheckIntervalMs: number },
): { readonly nextCheckMs?: number } {
  if (!found?.nextAttemptAt || !isWaitingForCa(found.errorCode)) return {};
  const untilMs = found.nextAttemptAt.getTime() - now.getTime();
  return { nextCheckMs: Math.min(Math.max(untilMs, waitingCheckMs), recheckIntervalMs) };
}
