import type { ConnectionState } from "./connection.ts";

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
      return settings.isSandbox ? sandboxMs(settings) : 5 * minute;
    case "failed":
    case "archived":
      return null;
  }
}

/** The delay of the check that confirms a miss: short, but long enough that one blip does not count twice. */
export function confirmMs(settings: CadenceSettings): number {
  if (settings.isSandbox) return 5 * second;
  return Math.min(minute, settings.recheckIntervalMs);
}
