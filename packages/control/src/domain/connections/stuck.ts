import type { ConnectionState } from "./connection.ts";

const minuteMs = 60_000;

/** A customer needs time to add records, and leaves some of them for later. */
const proofMs = 60 * minuteMs;
const stepMs = 5 * minuteMs;
const certificateMs = 10 * minuteMs;

/** The latest time for each state that can be stuck. */
export type StuckSince = Readonly<Partial<Record<ConnectionState, string>>>;

/**
 * Since when, at the latest, a connection is in its state when it is stuck: for longer than is
 * usual. A live one is in trouble or well, and never stuck.
 */
export function stuckSince(now: Date, stallAfterMs: number): StuckSince {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString();
  return {
    created: before(stepMs),
    pending_ownership: before(proofMs),
    verifying: before(stepMs),
    verified: before(stepMs),
    dns_writing: before(stepMs),
    propagating: before(stallAfterMs),
    issuing_cert: before(certificateMs),
    stalled: before(0),
    drifted: before(0),
    failed: before(0),
  };
}
