import { type Selectable, sql } from "kysely";
import type {
  Connection,
  Contest,
  ObservedRecord,
} from "../../../domain/connections/connection.ts";
import type { ListedConnection } from "../../../domain/connections/listed-connection.ts";
import { formatTime } from "../../../domain/format-time.ts";
import type { Ownership, OwnershipMethod } from "../../../domain/ownership/proof-methods.ts";
import { boundObserved } from "../../../domain/records/observed-records.ts";
import { jsonColumn } from "../../engine/json-column.ts";
import { type RowOrJson, readTime, readTimeOrNull } from "../../engine/times.ts";
import type { Tables } from "../../tables.ts";

// The one list of a connection's columns, and how rows become connections and connections rows.

const sharedColumns = [
  "id",
  "environment",
  "application_id",
  "hostname",
  "kind",
  "setup_type",
  "state",
  "provider",
  "batch_id",
  "error_code",
  "phase_started_at",
  "contest_since",
  "contest_deadline",
  "redirect_to",
  "origin_url",
  "origin_host_header",
  "customer_ref",
  "cutover",
  "created_at",
] as const satisfies readonly (keyof Tables["connections"])[];

/** Of the table `connections`: all that `toConnection` needs of it. */
export const connectionColumns = [
  ...sharedColumns,
  "tenant_id",
  "edge",
  "registrable_domain",
  "challenge",
  "may_use_credentials",
  "zone",
  "desired_records",
  "pending_records",
  "observed_records",
  "checks",
  "misses",
  "first_miss_at",
  "validation_label",
  "validation_status",
  "target_label",
  "points_to_target",
  "ownership_method",
  "ownership_proven_at",
  "front",
  "last_checked_at",
  "first_live_at",
  "certificate_id",
  "sequence",
  "version",
  "archived_at",
] as const satisfies readonly (keyof Tables["connections"])[];

/** A list shows a connection without its records. */
const listedColumns = [...sharedColumns, "state_since", "finding"] as const;

const check = <T>(column: "last_checked_at" | "observed_at" | "due_at") =>
  sql<T>`(select k.${sql.ref(column)} from connection_checks k
    where k.connection_id = connections.id and k.tenant_id = connections.tenant_id)`;

/** All that `toConnection` needs, of the table `connections` under its own name. */
export const connectionFields = [
  ...connectionColumns,
  check<Date | null>("last_checked_at").as("checked_at"),
  check<Date | null>("observed_at").as("observed_at"),
] as const;

/** All that `toListedConnection` needs, likewise. */
export const listedFields = [
  ...listedColumns,
  sql<Date | null>`greatest(connections.last_checked_at, ${check("last_checked_at")})`.as(
    "last_checked_at",
  ),
  check<Date | null>("due_at").as("due_at"),
] as const;

type Columns = Selectable<Tables["connections"]>;

/**
 * What checks have seen since the row was written: a check that changes nothing does not write it.
 */
interface SeenSince {
  readonly checked_at: Date | null;
  readonly observed_at: Date | null;
}

export type ConnectionRow = Pick<Columns, (typeof connectionColumns)[number]> & SeenSince;

export type ListedRow = Pick<
  Columns,
  (typeof listedColumns)[number] | "last_checked_at" | "due_at"
>;

export function toConnection(row: RowOrJson<ConnectionRow>): Connection {
  return {
    ...readShared(row),
    tenantId: row.tenant_id,
    edge: row.edge,
    registrableDomain: row.registrable_domain,
    challenge: row.challenge,
    mayUseCredentials: row.may_use_credentials,
    zone: row.zone,
    desiredRecords: row.desired_records,
    pendingRecords: row.pending_records,
    observedRecords: observedSince(row),
    phaseStartedAt: readTime(row.phase_started_at),
    checks: row.checks,
    misses: row.misses,
    firstMissAt: readTimeOrNull(row.first_miss_at),
    validationLabel: row.validation_label,
    validationStatus: row.validation_status,
    targetLabel: row.target_label,
    pointsToTarget: row.points_to_target,
    ownership: readOwnership(row.ownership_method, readTimeOrNull(row.ownership_proven_at)),
    front: row.front,
    firstLiveAt: readTimeOrNull(row.first_live_at),
    lastCheckedAt: later(readTimeOrNull(row.last_checked_at), readTimeOrNull(row.checked_at)),
    certificateId: row.certificate_id,
    sequence: row.sequence,
    version: row.version,
    archivedAt: readTimeOrNull(row.archived_at),
  };
}

export function toListedConnection(row: RowOrJson<ListedRow>): ListedConnection {
  return {
    ...readShared(row),
    // Rows of an earlier release have no time of their state; that of its phase is the nearest.
    stateSince: readTime(row.state_since ?? row.phase_started_at),
    lastCheckedAt: readTimeOrNull(row.last_checked_at),
    nextCheckAt: readTimeOrNull(row.due_at),
    finding: row.finding,
  };
}

function readShared(row: RowOrJson<Pick<Columns, (typeof sharedColumns)[number]>>) {
  return {
    id: row.id,
    environment: row.environment,
    applicationId: row.application_id,
    hostname: row.hostname,
    kind: row.kind,
    setupType: row.setup_type,
    state: row.state,
    provider: row.provider,
    batchId: row.batch_id,
    errorCode: row.error_code,
    contest: readContest(readTimeOrNull(row.contest_since), readTimeOrNull(row.contest_deadline)),
    redirectTo: row.redirect_to,
    originUrl: row.origin_url,
    originHostHeader: row.origin_host_header,
    customerRef: row.customer_ref,
    cutover: row.cutover,
    createdAt: readTime(row.created_at),
  };
}

function readContest(since: Date | null, deadline: Date | null): Contest | null {
  return since !== null && deadline !== null ? { since, deadline } : null;
}

function readOwnership(method: OwnershipMethod | null, provenAt: Date | null): Ownership | null {
  return method !== null && provenAt !== null ? { method, provenAt } : null;
}

/** Checks that saw the same since are not in the row. */
function observedSince({
  observed_records,
  observed_at,
}: RowOrJson<Pick<ConnectionRow, "observed_records" | "observed_at">>): readonly ObservedRecord[] {
  const entries = boundObserved(observed_records);
  if (observed_at === null) return entries;
  const since = formatTime(readTime(observed_at));
  return entries.map((entry) =>
    entry.observed_at < since ? { ...entry, observed_at: since } : entry,
  );
}

function later(one: Date | null, other: Date | null): Date | null {
  return other !== null && (one === null || one < other) ? other : one;
}

/** What the making of a connection and each of its checks write. */
export type ConnectionProgress = Pick<
  Connection,
  | "state"
  | "setupType"
  | "errorCode"
  | "zone"
  | "desiredRecords"
  | "pendingRecords"
  | "observedRecords"
  | "phaseStartedAt"
  | "checks"
  | "misses"
  | "firstMissAt"
  | "firstLiveAt"
  | "lastCheckedAt"
  | "certificateId"
  | "sequence"
  | "archivedAt"
>;

export function progressColumns(progress: ConnectionProgress) {
  return {
    state: progress.state,
    setup_type: progress.setupType,
    error_code: progress.errorCode,
    zone: progress.zone,
    desired_records: jsonColumn(progress.desiredRecords),
    pending_records: jsonOrNull(progress.pendingRecords),
    observed_records: jsonColumn(progress.observedRecords),
    phase_started_at: progress.phaseStartedAt,
    checks: progress.checks,
    misses: progress.misses,
    first_miss_at: progress.firstMissAt,
    first_live_at: progress.firstLiveAt,
    last_checked_at: progress.lastCheckedAt,
    certificate_id: progress.certificateId,
    sequence: progress.sequence,
    archived_at: progress.archivedAt,
  };
}

export function jsonOrNull(value: object | null): string | null {
  return value === null ? null : jsonColumn(value);
}
