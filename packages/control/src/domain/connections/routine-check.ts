import { liveIntervalMs } from "../backoff.ts";
import { isDecisive } from "../certificates/validation.ts";
import type { Connection, DesiredRecord, ObservedRecord } from "./connection.ts";

const dayMs = 86_400_000;
/**
 * Live names are checked up to a tenth before their interval ends; what comes earlier was called
 * for.
 */
const earliestShare = 0.85;

/**
 * Whether a check may just confirm what the last one saw, at one server and with what is known of
 * the delegation. It may not after a fault or a miss, during a contest or a change, when something
 * called for the check before its time, and once a day: then all servers, CAA and DNSSEC are
 * checked in full.
 */
export function isRoutine(
  connection: Connection,
  now: Date,
  intervals: { readonly shortMs: number; readonly longMs: number | null },
): boolean {
  const { state, errorCode, misses, contest, pendingRecords, cutover, front } = connection;
  const isWell = state === "live" && errorCode === null && misses === 0 && contest === null;
  // DNS does not show where a name behind a CDN leads.
  const isShown = front === null;
  const isSettled = pendingRecords === null && (cutover === null || cutover.status === "done");
  return (
    isWell && isShown && isSettled && wasRight(connection) && isInTime(connection, now, intervals)
  );
}

function wasRight(connection: Connection): boolean {
  const { observedRecords } = connection;
  const isFine = ({ host: name, type, propagated }: ObservedRecord): boolean =>
    propagated || !isDecisive(connection, { name, type });
  return observedRecords.length > 0 && observedRecords.every(isFine);
}

/** What a routine check confirms: the records that decide, and the others that were right. */
export function routineRecords(
  connection: Connection,
  desired: readonly DesiredRecord[],
): readonly DesiredRecord[] {
  const { observedRecords } = connection;
  return desired.filter(
    ({ host: name, type }) =>
      isDecisive(connection, { name, type }) ||
      observedRecords.some((seen) => seen.propagated && seen.host === name && seen.type === type),
  );
}

function isInTime(
  connection: Connection,
  now: Date,
  intervals: { readonly shortMs: number; readonly longMs: number | null },
): boolean {
  const { lastCheckedAt, id } = connection;
  if (lastCheckedAt === null) return false;
  const elapsedMs = now.getTime() - lastCheckedAt.getTime();
  const earliestMs = liveIntervalMs(connection, lastCheckedAt, intervals) * earliestShare;
  return elapsedMs >= earliestMs && ownDay(id, lastCheckedAt) === ownDay(id, now);
}

/**
 * Each connection's day begins at a time of its own, so that full checks are spread over the day.
 */
function ownDay(id: string, at: Date): number {
  const offset = Number.parseInt(id.replaceAll("-", "").slice(-8), 16) / 0x1_0000_0000;
  return Math.floor(at.getTime() / dayMs + (Number.isNaN(offset) ? 0 : offset));
}
