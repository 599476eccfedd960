import type { Connection } from "../connections/connection.ts";

/** For this long after the records were shown nobody expects them in DNS. */
const earlyMs = 5 * 60_000;

/**
 * Whether a record that is not there yet is no fault, unless somebody has said that the records
 * were added. They are first shown in the answer that makes the connection.
 */
export function mayBeEarly(
  { createdAt, firstLiveAt, state }: Pick<Connection, "createdAt" | "firstLiveAt" | "state">,
  now: Date,
): boolean {
  if (firstLiveAt !== null || state === "failed" || state === "archived") return false;
  return now.getTime() - createdAt.getTime() < earlyMs;
}
