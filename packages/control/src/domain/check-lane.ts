import type { ConnectionState } from "./connection.ts";

/** 0 fresh: somebody waits for it to go live; 1 live; 2 retry: has not got on for an hour or more. */
export type CheckLane = 0 | 1 | 2;

const onTheWay: ReadonlySet<ConnectionState> = new Set([
  "created",
  "pending_ownership",
  "verifying",
  "verified",
  "dns_writing",
  "propagating",
  "issuing_cert",
]);

/** The cadence makes so many checks in about an hour. */
const freshChecks = 20;

/** As the function `check_lane` of the database, by which rows are queued. */
export function checkLane(state: ConnectionState, checks: number): CheckLane {
  if (state === "live") return 1;
  return onTheWay.has(state) && checks <= freshChecks ? 0 : 2;
}
