import { type Change, type DnsRecord, isAtOrBelow, recordKey, tracesOf } from "@mooring/dns";
import { type Connection, challengeName, holdsClaim } from "./connection.ts";
import { fromDesired } from "./desired-records.ts";
import { defaultTtlSeconds } from "./record-template.ts";

/** Mail is set up for good: undoing a connection's records leaves alone what was written for mail. */
export type WritePurpose = "connection" | "email";

/** One write that was made for a connection, or that may have been made in part. */
export interface PastWrite {
  /** Null for a credential that was given once and not kept. */
  readonly credentialId: string | null;
  readonly provider: string;
  readonly zone: string;
  readonly changes: readonly Change[];
  /** It came to its end; otherwise any part of it may be in the zone. */
  readonly isCertain: boolean;
  readonly at: Date;
}

/** What all writes to one zone come to. */
export interface Footprint {
  /** Records that this service put there, as far as they are still there. */
  readonly ours: readonly DnsRecord[];
  /** What it took away and has not put back. */
  readonly before: readonly DnsRecord[];
  /** What it wanted and found there already, put by others. */
  readonly found: readonly DnsRecord[];
}

/**
 * Adds the writes up, oldest first: what was there before all of them is remembered, what came and
 * went in between is not. A write of uncertain end can only add to either side, since undoing looks
 * at the zone as it is.
 */
export function footprint(writes: readonly PastWrite[]): Footprint {
  const ours = new Map<string, DnsRecord>();
  const before = new Map<string, DnsRecord>();
  const found = new Map<string, DnsRecord>();
  for (const { changes, zone, isCertain } of writes) {
    const traces = tracesOf({ zone, changes });
    move(traces.taken, ours, before, isCertain);
    move(traces.put, before, ours, isCertain);
    for (const record of traces.found) found.set(recordKey(record), record);
  }
  return {
    ours: [...ours.values()],
    before: [...before.values()],
    found: [...found].flatMap(([key, record]) => (ours.has(key) ? [] : record)),
  };
}

type Records = Map<string, DnsRecord>;

/** What is on the one side leaves it; what is not comes to the other. */
function move(records: readonly DnsRecord[], from: Records, to: Records, isCertain: boolean): void {
  for (const record of records) {
    const key = recordKey(record);
    if (!from.has(key)) to.set(key, record);
    else if (isCertain) from.delete(key);
  }
}

/** How long an authorised replacement may be finished after it was cut off. */
const authorisedForMs = 3_600_000;

/**
 * What the last write was allowed to replace, when it did not come to its end: whoever tries again,
 * or a worker after a crash, finishes it without asking a second time.
 */
export function begunReplacements(writes: readonly PastWrite[], now: Date): readonly DnsRecord[] {
  const last = writes.at(-1);
  if (last === undefined || last.isCertain) return [];
  if (now.getTime() - last.at.getTime() > authorisedForMs) return [];
  return last.changes.flatMap(({ action, existing }) => (action === "update" ? existing : []));
}

export function ownershipRecord(connection: Connection): DnsRecord {
  return {
    name: challengeName(connection.hostname),
    type: "TXT",
    value: connection.challenge,
    ttl: defaultTtlSeconds,
    priority: null,
  };
}

/** What is to be written: the proof alone, the records alone, or all that is still needed. */
export function recordsToWrite(
  connection: Connection,
  what: "ownership" | "records" | "all",
): readonly DnsRecord[] {
  const records = connection.desiredRecords.map(fromDesired);
  if (what === "ownership") return [ownershipRecord(connection)];
  if (what === "records" || holdsClaim(connection.state)) return records;
  return [ownershipRecord(connection), ...records];
}

/** The proof speaks for the hostname and what is below it, and for no other name of the zone. */
export function namesOf(connection: Connection, records: readonly DnsRecord[]): readonly string[] {
  const names = new Set(records.map(({ name }) => name));
  return [...names].filter((name) => isAtOrBelow(name, connection.hostname));
}
