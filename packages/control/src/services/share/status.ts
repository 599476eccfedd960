import type { Connection } from "../../domain/connections/connection.ts";
import type { Finding } from "../../domain/diagnosis/finding.ts";
import type { FindingCode } from "../../domain/diagnosis/finding-codes.ts";
import type { SharedRecord } from "./records.ts";

/**
 * What the page says at its top; exactly one, so that the page cannot contradict itself.
 * `done` stands alone: nothing else is shown with it.
 */
export type ShareStatus =
  | "add"
  | "fix"
  | "replace"
  | "switch"
  | "spreading"
  | "placed"
  | "securing"
  | "sender"
  | "done"
  | "ended"
  | "unknown";

/** The list of records says the same, record by record. */
const saidByRecords: ReadonlySet<FindingCode> = new Set([
  "cutover_preparing",
  "cutover_ready",
  "ownership_missing",
  "ownership_partial",
  "ownership_seen",
  "record_missing",
  "records_changed",
  "servers_disagree",
]);

/** Advice for the application's owner, or about later: nothing that the reader was asked for. */
const notForReaders: ReadonlySet<FindingCode> = new Set([
  "apex_by_address",
  "certificate_pending",
  "gave_up",
  "www_not_connected",
]);

/** The findings that the reader can act on, or has to wait for. */
export function readersFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(
    ({ code, actor }) =>
      (actor === "end_customer" || actor === "wait") &&
      !saidByRecords.has(code) &&
      !notForReaders.has(code),
  );
}

interface StatusFacts {
  readonly connection: Pick<Connection, "state" | "pendingRecords" | "cutover">;
  readonly records: readonly SharedRecord[];
  readonly findings: readonly Finding[];
  /** Nobody could act yet. */
  readonly isEarly?: boolean;
}

/** What a name has that is in use; the records that are asked for replace it. */
const ofTheOldSite: ReadonlySet<FindingCode> = new Set([
  "a_leftover",
  "aaaa_leftover",
  "apex_needs_alias",
  "https_leftover",
  "record_conflict",
  "record_flattened",
  "record_mismatch",
  "record_proxied",
  "wildcard_answers",
]);

/** Until somebody could act, what was there before is a task and not a fault. */
export function isTask({ code }: Finding, isEarly: boolean): boolean {
  return isEarly && ofTheOldSite.has(code);
}

export function isOpen({ status }: SharedRecord): boolean {
  return status !== "found" && status !== "proven";
}

/** The page's status. A problem that the reader must fix comes before everything else. */
export function shareStatus(facts: StatusFacts): ShareStatus {
  const { connection, records, findings, isEarly = false } = facts;
  const isBlocking = (finding: Finding) => finding.severity !== "info" && !isTask(finding, isEarly);
  const theirs = readersFindings(findings);
  if (theirs.some((finding) => finding.actor === "end_customer" && isBlocking(finding))) {
    return "fix";
  }
  if (connection.state === "failed") return "ended";
  const open = records.filter(isOpen);
  if (open.length > 0) return openStatus(connection, open);
  if (connection.state === "live" && connection.pendingRecords === null) return "done";
  const isOthers = ({ actor }: Finding) => actor === "tenant" || actor === "operator";
  if (findings.some((finding) => isOthers(finding) && finding.severity === "error")) {
    return "sender";
  }
  return connection.state === "issuing_cert" ? "securing" : "placed";
}

/** From what the reader must do now to what is done. */
const urgency: readonly ShareStatus[] = [
  "fix",
  "ended",
  "replace",
  "add",
  "switch",
  "spreading",
  "unknown",
  "sender",
  "placed",
  "securing",
  "done",
];

/** Of a pair the status of the one that is less far: both are done when the page says so. */
export function pageStatus(parts: readonly StatusFacts[]): ShareStatus {
  const all = parts.map(shareStatus);
  return urgency.find((status) => all.includes(status)) ?? "unknown";
}

function openStatus(
  { pendingRecords, cutover }: StatusFacts["connection"],
  open: readonly SharedRecord[],
): ShareStatus {
  if (open.every(({ status }) => status === "unknown")) return "unknown";
  if (pendingRecords !== null) return "replace";
  if (cutover?.status === "ready" || cutover?.status === "reverted") return "switch";
  return open.every(({ status }) => status === "partly") ? "spreading" : "add";
}
