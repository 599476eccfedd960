import type { DnsRecord } from "@mooring/dns";
import { isValidationRecord } from "../certificates/validation.ts";
import { type Connection, type DesiredRecord, holdsClaim } from "../connections/connection.ts";
import { isCuttingOver, isPreparing } from "../connections/cutover.ts";
import { ownershipRecord } from "../ownership/ownership-challenge.ts";
import type { ProofMethod } from "../ownership/proof-methods.ts";
import { type ProofRecord, type ProofZones, proofRecords } from "../ownership/proofs.ts";

/**
 * Whether the customer is asked for the TXT record: `required` when nothing else proves ownership,
 * `optional` when it proves it before visitors are sent to us, `none` when another record does.
 */
export type OwnershipNeed = "required" | "optional" | "none";

/** What a customer has to publish for a connection. */
export interface NeededRecords {
  readonly ownership: { readonly record: DnsRecord; readonly need: OwnershipNeed };
  /** What proves; null where nothing that the application allows can. */
  readonly proof: ProofMethod | null;
  /** The records to publish, and where they are to be replaced those that replace them. */
  readonly records: readonly DesiredRecord[];
  /** Those of them to publish now: of a cut-over that is prepared none that a visitor follows. */
  readonly now: readonly DesiredRecord[];
}

/**
 * The only place that decides which records a customer is asked for. A record that is needed anyway
 * and proves ownership makes the TXT record superfluous.
 */
export function neededRecords(
  connection: Connection,
  allowed: readonly ProofMethod[],
  zones: ProofZones,
): NeededRecords {
  const records = connection.pendingRecords ?? connection.desiredRecords;
  const proofs = proofRecords(connection, allowed, zones);
  const leading = leadingProof(connection, records, proofs);
  const record = ownershipRecord(connection);
  return {
    ownership: { record, need: ownershipNeed(connection, leading, proofs) },
    proof: leading,
    records,
    now: isPreparing(connection) ? withoutVisitors(connection, records) : records,
  };
}

/**
 * A proof that needs no record of its own; else the TXT record, where it is allowed. Nothing that
 * visitors follow is asked for before a cut-over is switched.
 */
export function leadingProof(
  connection: Pick<Connection, "hostname" | "cutover">,
  records: readonly DesiredRecord[],
  proofs: readonly ProofRecord[],
): ProofMethod | null {
  const among = (some: readonly DesiredRecord[]) =>
    proofs.find(({ record }) => some.some((desired) => isSame(desired, record)));
  const text = proofs.find(({ method }) => method === "txt");
  const quiet = isCuttingOver(connection) ? withoutVisitors(connection, records) : records;
  return (among(quiet) ?? text ?? among(records))?.method ?? null;
}

function withoutVisitors(
  { hostname }: Pick<Connection, "hostname">,
  records: readonly DesiredRecord[],
): readonly DesiredRecord[] {
  return records.filter(({ host, type }) => isValidationRecord(hostname, { name: host, type }));
}

function isSame({ host, type, value }: DesiredRecord, record: DnsRecord): boolean {
  return host === record.name && type === record.type && value === record.value;
}

function ownershipNeed(
  connection: Connection,
  leading: ProofMethod | null,
  proofs: readonly ProofRecord[],
): OwnershipNeed {
  if (holdsClaim(connection.state) && connection.contest === null) return "none";
  if (leading === "txt") return "required";
  const isOffered = leading === "cname" && proofs.some(({ method }) => method === "txt");
  return isOffered && isInUse(connection) ? "optional" : "none";
}

/**
 * Something else was seen where the record for visitors belongs. Before ownership is proven only
 * the error of the last check says so.
 */
function isInUse(connection: Connection): boolean {
  const { hostname, observedRecords, cutover, state, errorCode } = connection;
  if (cutover !== null) return false;
  if (!holdsClaim(state) && errorCode === "record_mismatch") return true;
  return observedRecords.some(({ host, propagated }) => host === hostname && !propagated);
}
