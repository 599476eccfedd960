import {
  acmeChallengeName,
  baseName,
  type Change,
  type DnsRecord,
  isAtOrBelow,
  planTraces,
  type Retimed,
  recordKey,
} from "@mooring/dns";
import { type Connection, holdsClaim } from "../connections/connection.ts";
import { isCuttingOver } from "../connections/cutover.ts";
import { ownershipRecord } from "../ownership/ownership-challenge.ts";
import { fromDesired } from "./desired-records.ts";
import type { NeededRecords } from "./needed-records.ts";

/** Reverting a connection's records does not touch what was written for email. */
export type WritePurpose = "connection" | "email";

/** A write for a connection that was made, or may have been made in part. */
export interface PastWrite {
  /** Null for a credential that was given for one call and not stored. */
  readonly credentialId: string | null;
  readonly provider: string;
  readonly zone: string;
  readonly changes: readonly Change[];
  /** The write was confirmed; otherwise any part of it may be in the zone. */
  readonly isCertain: boolean;
  readonly at: Date;
}

/** The sum of all writes to one zone. */
export interface Footprint {
  /** Records that this service created and has not removed. */
  readonly ours: readonly DnsRecord[];
  /** Records that it removed and has not restored. */
  readonly before: readonly DnsRecord[];
  /** Desired records that others had published before. */
  readonly found: readonly DnsRecord[];
  /** Records that are still there with a TTL that this service gave them. */
  readonly retimed: readonly Retimed[];
}

/**
 * Adds up the writes, oldest first: what was in the zone before all of them counts, what was added
 * and removed in between does not. An unconfirmed write only adds to both sides; a revert compares
 * them with the zone as it is.
 */
export function footprint(writes: readonly PastWrite[]): Footprint {
  const ours = new Map<string, DnsRecord>();
  const before = new Map<string, DnsRecord>();
  const found = new Map<string, DnsRecord>();
  const retimed = new Map<string, Retimed>();
  for (const { changes, zone, isCertain } of writes) {
    const traces = planTraces({ zone, changes });
    move(traces.taken.map(asBefore(retimed)), ours, before, isCertain);
    move(traces.put, before, ours, isCertain);
    for (const record of traces.found) found.set(recordKey(record), record);
    for (const record of isCertain ? traces.taken : []) retimed.delete(recordKey(record));
    for (const one of traces.retimed) retime(one, retimed, isCertain);
  }
  return {
    ours: [...ours.values()],
    before: [...before.values()],
    found: [...found].flatMap(([key, record]) => (ours.has(key) ? [] : record)),
    retimed: [...retimed.values()],
  };
}

/** What is removed is restored with the TTL that it had before this service changed that. */
function asBefore(retimed: ReadonlyMap<string, Retimed>): (record: DnsRecord) => DnsRecord {
  return (record) => ({ ...record, ttl: retimed.get(recordKey(record))?.before.ttl ?? record.ttl });
}

/** The first TTL counts; with it the record is as it was. */
function retime(one: Retimed, all: Map<string, Retimed>, isCertain: boolean): void {
  const key = recordKey(one.after);
  const before = all.get(key)?.before ?? one.before;
  if (isCertain && before.ttl === one.after.ttl) all.delete(key);
  else all.set(key, { before, after: one.after });
}

type Records = Map<string, DnsRecord>;

/** A record in `from` is deleted there; any other is added to `to`. */
function move(records: readonly DnsRecord[], from: Records, to: Records, isCertain: boolean): void {
  for (const record of records) {
    const key = recordKey(record);
    if (!from.has(key)) to.set(key, record);
    else if (isCertain) from.delete(key);
  }
}

/** How long an interrupted replacement may be finished without being authorised again. */
const authorisedForMs = 3_600_000;

/**
 * The records that the last write was authorised to replace, when it was interrupted: a retry, or a
 * worker after a crash, may finish it without a second authorisation.
 */
export function begunReplacements(writes: readonly PastWrite[], now: Date): readonly DnsRecord[] {
  return begunChanges(writes, now).flatMap(({ action, record, existing }) =>
    // A record whose TTL was to change was not to be replaced.
    action === "update" ? existing.filter((one) => recordKey(one) !== recordKey(record)) : [],
  );
}

/** The changes of the last write, when it was interrupted; they need no second authorisation. */
export function begunChanges(writes: readonly PastWrite[], now: Date): readonly Change[] {
  const last = writes.at(-1);
  if (last === undefined || last.isCertain) return [];
  return now.getTime() - last.at.getTime() > authorisedForMs ? [] : last.changes;
}

/**
 * `text`: only the TXT record; `validation`: only the CNAME that delegates validation. Neither
 * sends a visitor anywhere.
 */
export type RecordsToWrite = "ownership" | "text" | "records" | "validation";

/** Records that serve proofs: a revert of a cut-over leaves them. */
export function isDelegation({ hostname }: Pick<Connection, "hostname">) {
  const name = acmeChallengeName(hostname);
  return (record: DnsRecord): boolean => record.name === name;
}

/**
 * The records to write: those that prove ownership, the desired records, or all that are still
 * needed. Without `needed` ownership is proven by its TXT record.
 */
export function recordsToWrite(
  connection: Connection,
  what: RecordsToWrite | "all",
  needed: Pick<NeededRecords, "ownership"> | null = null,
): readonly DnsRecord[] {
  const records = (connection.pendingRecords ?? connection.desiredRecords).map(fromDesired);
  const isByText = needed === null || needed.ownership.need === "required";
  if (what === "text" || (what === "ownership" && isByText)) return [ownershipRecord(connection)];
  if (what === "validation") return records.filter(isDelegation(connection));
  if (what === "records") return records;
  // Until the switch a name that serves elsewhere gets only what sends no visitor anywhere.
  const now = isCuttingOver(connection) ? records.filter(isDelegation(connection)) : records;
  const isProven = holdsClaim(connection.state) || !isByText;
  return isProven ? now : [ownershipRecord(connection), ...now];
}

/** Ownership is proven for the hostname and the names below it, not for others of the zone. */
export function provenNames(
  connection: Connection,
  records: readonly DnsRecord[],
): readonly string[] {
  const names = new Set(records.map(({ name }) => name));
  return [...names].filter((name) => isAtOrBelow(name, baseName(connection.hostname)));
}
