import { type RecordCheck, recordKey } from "@mooring/dns";
import type { Connection, ConnectionState, DesiredRecord } from "../connections/connection.ts";
import type {
  Observation,
  RecordsObservation,
  RequestedRecords,
} from "../connections/observation.ts";
import { fromDesired } from "./desired-records.ts";

/** The desired records were seen in DNS, and visitors may depend on them. */
function isConfirmed(state: ConnectionState): boolean {
  return state === "issuing_cert" || state === "live" || state === "drifted";
}

/**
 * The requested records after the template or the edge may have changed. A connection that was
 * confirmed keeps its records until the new ones are seen; any other gets the new ones at once.
 */
export function requestedRecords(
  connection: Pick<Connection, "state" | "desiredRecords">,
  derived: { readonly zone: string | null; readonly records: readonly DesiredRecord[] },
): RequestedRecords {
  const { zone, records } = derived;
  if (!isConfirmed(connection.state) || isSameSet(records, connection.desiredRecords)) {
    return { zone, desired: records, pending: null };
  }
  return { zone, desired: connection.desiredRecords, pending: records };
}

/** The same records; a TTL is no difference, because the target is the same. */
export function isSameSet(one: readonly DesiredRecord[], other: readonly DesiredRecord[]): boolean {
  const keys = new Set(one.map(desiredKey));
  return (
    keys.size === new Set(other.map(desiredKey)).size &&
    other.every((each) => keys.has(desiredKey(each)))
  );
}

function desiredKey(record: DesiredRecord): string {
  return recordKey(fromDesired(record));
}

/** Names and addresses of the edge, present and past, as far as they answer. */
export type EdgeTargets = ReadonlySet<string>;

/**
 * Whether everything that the servers answer at the hostname resolves to the edge. Null when a
 * server could not be asked, or when the records do not say where the hostname resolves to.
 */
export function resolvesToEdge(
  hostname: string,
  checks: readonly RecordCheck[],
  targets: EdgeTargets,
): boolean | null {
  const leading = checks.filter(
    ({ record }) => record.name === hostname && addressTypes.has(record.type),
  );
  if (leading.length === 0) return null;
  if (leading.some(({ outcome }) => outcome === "unknown")) return null;
  const values = leading.flatMap(({ observedValues }) => observedValues);
  return values.length > 0 && values.every((value) => targets.has(value));
}

const addressTypes: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "ALIAS"]);

/** The names and addresses that a connection's records point its hostname to. */
export function trafficTargets(hostname: string, records: readonly DesiredRecord[]) {
  const leading = records.filter(({ host }) => host === hostname);
  const values = (types: readonly string[]) =>
    leading.filter(({ type }) => types.includes(type)).map(({ value }) => value);
  return { names: values(["CNAME", "ALIAS"]), addresses: values(["A", "AAAA"]) };
}

/**
 * The records as the lifecycle judges them. While others are pending, a connection is right with
 * the new ones, with the old ones unless these resolve to nothing, and with any mixture that
 * resolves to the edge.
 */
export function effectiveRecords(observation: Observation): RecordsObservation | null {
  const { records, moving } = observation;
  if (records === null || moving === null) return records;
  const isUnchanged = records.outcome === "match" && moving.resolvesToEdge !== false;
  const { observed, cachedUntil } = records;
  const right = { outcome: "match", error: null, observed, cachedUntil } as const;
  if (moving.records.outcome === "match" || isUnchanged || moving.resolvesToEdge === true)
    return right;
  const parts = [records.outcome, moving.records.outcome];
  if (parts.includes("unknown") || moving.resolvesToEdge === null) {
    const error = records.error ?? moving.records.error;
    return { outcome: "unknown", error, observed, cachedUntil };
  }
  return { ...moving.records, observed };
}

/** What becomes of a connection's records; `isNews` when the tenant gets an event. */
export interface RecordsMove {
  readonly zone: string | null;
  readonly desiredRecords: readonly DesiredRecord[];
  readonly pendingRecords: readonly DesiredRecord[] | null;
  readonly isNews: boolean;
  /** Whether the new records are published already is not known yet. */
  readonly isOpen: boolean;
}

export function moveRecords(
  connection: Connection,
  { requested, moving }: Observation,
  state: ConnectionState,
): RecordsMove {
  const quiet = { isNews: false, isOpen: false };
  if (requested === null)
    return { ...unchanged(connection, state), zone: connection.zone, ...quiet };
  const { zone, desired, pending } = requested;
  if (pending === null) return { zone, desiredRecords: desired, pendingRecords: null, ...quiet };
  if (moving?.records.outcome === "match" || !isConfirmed(state)) {
    return { zone, desiredRecords: pending, pendingRecords: null, ...quiet };
  }
  const isKnown = isSameSet(pending, connection.pendingRecords ?? []);
  if (!isKnown && moving?.records.outcome !== "wrong") {
    return { ...unchanged(connection, state), zone, isNews: false, isOpen: true };
  }
  return {
    zone,
    desiredRecords: desired,
    pendingRecords: pending,
    isNews: !isKnown,
    isOpen: false,
  };
}

function unchanged(connection: Connection, state: ConnectionState) {
  const { desiredRecords, pendingRecords } = connection;
  return { desiredRecords, pendingRecords: isConfirmed(state) ? pendingRecords : null };
}
