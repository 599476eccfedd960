import type { Connection, ConnectionState } from "./connections/connection.ts";

/** When a connection is checked again, by state. The numbers are the documented cadence. */
export interface CadenceSettings {
  readonly recheckIntervalMs: number;
  /** A sandbox name shows its drift within seconds, not hours. */
  readonly isSandbox: boolean;
  /** False: for ten minutes nobody has written or read the sandbox name or its zone. */
  readonly isWatched?: boolean;
}

const second = 1_000;
const minute = 60 * second;

/** 5, 10, 20, 40 s … doubling to 5 min. */
function pending(checks: number): number {
  return Math.min(5 * second * 2 ** Math.min(checks, 10), 5 * minute);
}

/** 5 s doubling to 60 s for the first quarter of an hour or so, then 5 min. */
function propagating(checks: number): number {
  if (checks > 20) return 5 * minute;
  return Math.min(5 * second * 2 ** Math.min(checks, 10), minute);
}

function sandboxMs({ isWatched = true }: CadenceSettings): number {
  return isWatched ? 5 * second : 5 * minute;
}

/** Milliseconds until the next check; null when the state needs none. */
export function nextCheckMs(
  state: ConnectionState,
  checks: number,
  settings: CadenceSettings,
): number | null {
  switch (state) {
    case "created":
    case "verified":
    case "dns_writing":
      return 0;
    case "pending_ownership":
    case "verifying":
      return pending(checks);
    case "propagating":
    case "stalled":
    case "issuing_cert":
      return propagating(checks);
    case "live":
      return settings.isSandbox ? sandboxMs(settings) : settings.recheckIntervalMs;
    case "drifted":
      // Somebody is often at work on the zone right then: as quick as for a new name.
      return settings.isSandbox ? sandboxMs(settings) : propagating(checks);
    case "failed":
    case "archived":
      return null;
  }
}

const stableAfterMs = 30 * 24 * 60 * minute;

/**
 * How often a live name is checked: young names and those with trouble at the short interval; the
 * longer a name has been well, the closer to the long one, which it reaches after 30 days.
 */
export function liveIntervalMs(
  connection: Pick<Connection, "state" | "phaseStartedAt" | "errorCode" | "misses" | "contest">,
  now: Date,
  intervals: { readonly shortMs: number; readonly longMs: number | null },
): number {
  const { shortMs } = intervals;
  const longMs = Math.max(shortMs, intervals.longMs ?? 6 * shortMs);
  const { state, phaseStartedAt, errorCode, misses, contest } = connection;
  const isWell = state === "live" && errorCode === null && misses === 0 && contest === null;
  if (!isWell) return shortMs;
  const wellForMs = Math.max(0, now.getTime() - phaseStartedAt.getTime());
  return Math.round(shortMs + (longMs - shortMs) * Math.min(1, wellForMs / stableAfterMs));
}

/**
 * The delay of the check that confirms a miss: short, but long enough that one blip does not count
 * twice.
 */
export function confirmMs(settings: CadenceSettings): number {
  if (settings.isSandbox) return 5 * second;
  return Math.min(minute, settings.recheckIntervalMs);
}
