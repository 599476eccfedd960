import { type Selectable, sql } from "kysely";
import type {
  Connection,
  ConnectionState,
  Contest,
  ObservedRecord,
} from "../../../domain/connections/connection.ts";
import type { FindingHeadline } from "../../../domain/diagnosis/finding.ts";
import { headlineOf } from "../../../domain/diagnosis/headline.ts";
import { boundObserved } from "../../../domain/records/observed-records.ts";
import { jsonColumn } from "../../engine/json-column.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { Tables } from "../../tables.ts";
import { allConnections, unmovedConnections } from "./connection-table.ts";

const connectionColumns = [
  "id",
  "tenant_id",
  "environment",
  "application_id",
  "hostname",
  "registrable_domain",
  "kind",
  "setup_type",
  "state",
  "provider",
  "batch_id",
  "error_code",
  "challenge",
  "may_use_credentials",
  "zone",
  "desired_records",
  "pending_records",
  "observed_records",
  "phase_started_at",
  "checks",
  "misses",
  "first_miss_at",
  "contest_since",
  "contest_deadline",
  "redirect_to",
  "origin_url",
  "origin_host_header",
  "customer_ref",
  "validation_label",
  "validation_status",
  "cutover",
  "last_checked_at",
  "first_live_at",
  "certificate_id",
  "sequence",
  "version",
  "created_at",
  "archived_at",
] as const;

/** What checks have seen since the row was written: a check that changes nothing does not write it. */
interface SeenSince {
  readonly checked_at: Date | null;
  readonly observed_at: Date | null;
}

export type ConnectionRow = Pick<
  Selectable<Tables["connections"]>,
  (typeof connectionColumns)[number]
> &
  SeenSince;

const seen = (column: "last_checked_at" | "observed_at") =>
  sql<Date | null>`(select k.${sql.ref(column)} from connection_checks k
    where k.connection_id = connections.id and k.tenant_id = connections.tenant_id)`;

/** All that `toConnection` needs, of the table `connections` under its own name. */
export const connectionFields = [
  ...connectionColumns,
  seen("last_checked_at").as("checked_at"),
  seen("observed_at").as("observed_at"),
] as const;

type ContestColumns = Pick<ConnectionRow, "contest_since" | "contest_deadline">;

export async function insertConnection(tx: Tx, connection: Connection, dueAt: Date): Promise<void> {
  await tx
    .insertInto("connections")
    .values({
      id: connection.id,
      tenant_id: connection.tenantId,
      environment: connection.environment,
      application_id: connection.applicationId,
      hostname: connection.hostname,
      registrable_domain: connection.registrableDomain,
      kind: connection.kind,
      setup_type: connection.setupType,
      state: connection.state,
      provider: connection.provider,
      batch_id: connection.batchId,
      customer_ref: connection.customerRef,
      redirect_to: connection.redirectTo,
      origin_url: connection.originUrl,
      origin_host_header: connection.originHostHeader,
      error_code: connection.errorCode,
      challenge: connection.challenge,
      may_use_credentials: connection.mayUseCredentials,
      zone: connection.zone,
      desired_records: jsonColumn(connection.desiredRecords),
      pending_records: jsonOrNull(connection.pendingRecords),
      observed_records: jsonColumn(connection.observedRecords),
      phase_started_at: connection.phaseStartedAt,
      checks: connection.checks,
      misses: connection.misses,
      first_miss_at: connection.firstMissAt,
      last_checked_at: connection.lastCheckedAt,
      first_live_at: connection.firstLiveAt,
      validation_label: connection.validationLabel,
      cutover: jsonOrNull(connection.cutover),
      certificate_id: connection.certificateId,
      sequence: connection.sequence,
      version: connection.version,
      due_at: dueAt,
      leased_until: null,
      recheck_requested: false,
      created_at: connection.createdAt,
      state_since: connection.createdAt,
      archived_at: connection.archivedAt,
    })
    .execute();
}

/** One that is not where most are may have moved: an archived connection only ever moves from there. */
export async function selectConnection(tx: Tx, id: string): Promise<Connection | null> {
  const row =
    (await byId(tx, unmovedConnections, id).executeTakeFirst()) ??
    (await byId(tx, allConnections, id).executeTakeFirst());
  return row ? toConnection(row) : null;
}

/** Reads for update: no other transaction writes the row until this one ends. */
export async function lockConnection(tx: Tx, id: string): Promise<Connection | null> {
  const row =
    (await byId(tx, unmovedConnections, id).forUpdate().executeTakeFirst()) ??
    (await byId(tx, allConnections, id).forUpdate().executeTakeFirst());
  return row ? toConnection(row) : null;
}

function byId(tx: Tx, table: typeof allConnections, id: string) {
  return tx.selectFrom(table).select(connectionFields).where("id", "=", id);
}

/** The newest connection of this application and customer for the hostname that is not over. */
export async function selectOpenConnection(
  tx: Tx,
  {
    applicationId,
    hostname,
    customerRef,
  }: Pick<Connection, "applicationId" | "hostname" | "customerRef">,
): Promise<Connection | null> {
  const row = await tx
    .selectFrom(unmovedConnections)
    .select(connectionFields)
    .where("hostname", "=", hostname)
    .where("application_id", "=", applicationId)
    .where("customer_ref", "is not distinct from", customerRef)
    .where("state", "not in", ["archived", "failed"])
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? toConnection(row) : null;
}

/** The fields that a check of a connection may change. */
export interface ConnectionUpdate {
  readonly state: ConnectionState;
  readonly setupType: Connection["setupType"];
  readonly errorCode: Connection["errorCode"];
  readonly zone: Connection["zone"];
  readonly desiredRecords: Connection["desiredRecords"];
  readonly pendingRecords: Connection["pendingRecords"];
  readonly observedRecords: Connection["observedRecords"];
  readonly phaseStartedAt: Date;
  readonly checks: number;
  readonly misses: number;
  readonly firstMissAt: Date | null;
  readonly firstLiveAt: Date | null;
  readonly lastCheckedAt: Date | null;
  readonly certificateId: string | null;
  readonly sequence: number;
  readonly archivedAt: Date | null;
  readonly dueAt: Date | null;
  /** Absent: unchanged, as everything below. */
  readonly validation?: Pick<Connection, "validationLabel" | "validationStatus"> | undefined;
  readonly contest?: Contest | null | undefined;
  readonly cutover?: Connection["cutover"] | undefined;
  readonly silentServers?: Readonly<Record<string, string>> | undefined;
  /** When somebody watched a sandbox name; absent: unchanged. */
  readonly watchedAt?: Date | undefined;
}

/**
 * Compare-and-set on the version: null when someone else has written the row since it was read, or leased it
 * since the lease that is given, and for an archived connection, which is final. Ends any lease; a recheck requested since makes the row due at once: the
 * database puts what is written here into the queue of checks.
 */
export async function updateConnection(
  tx: Tx,
  { id, version, lease }: WrittenRow,
  update: ConnectionUpdate,
  now: Date,
): Promise<Connection | null> {
  const row = await tx
    .updateTable(unmovedConnections)
    .set((eb) => ({
      state: update.state,
      state_since: sql<Date>`case when state = ${update.state} then coalesce(state_since, phase_started_at)
        else ${now}::timestamptz end`,
      finding: findingAfter(update),
      setup_type: update.setupType,
      error_code: update.errorCode,
      zone: update.zone,
      desired_records: jsonColumn(update.desiredRecords),
      pending_records: jsonOrNull(update.pendingRecords),
      observed_records: jsonColumn(update.observedRecords),
      phase_started_at: update.phaseStartedAt,
      checks: update.checks,
      misses: update.misses,
      first_miss_at: update.firstMissAt,
      first_live_at: update.firstLiveAt,
      last_checked_at: update.lastCheckedAt,
      certificate_id: update.certificateId,
      sequence: update.sequence,
      archived_at: update.archivedAt,
      ...(update.contest === undefined
        ? {}
        : {
            contest_since: update.contest?.since ?? null,
            contest_deadline: update.contest?.deadline ?? null,
          }),
      ...(update.silentServers === undefined
        ? {}
        : { silent_servers: JSON.stringify(update.silentServers) }),
      ...(update.validation === undefined
        ? {}
        : {
            validation_label: update.validation.validationLabel,
            validation_status: update.validation.validationStatus,
          }),
      ...(update.cutover === undefined ? {} : { cutover: jsonOrNull(update.cutover) }),
      ...(update.watchedAt === undefined ? {} : { watched_at: update.watchedAt }),
      due_at: update.dueAt,
      recheck_requested: false,
      leased_until: null,
      failures: 0,
      parked_at: null,
      parked_reason: null,
      version: eb("version", "+", 1),
    }))
    .where("id", "=", id)
    .where("version", "=", version)
    .where("state", "<>", "archived")
    .$if(lease !== null, (query) => query.where(holdsLease(lease)))
    .returning(connectionFields)
    .executeTakeFirst();
  return row ? toConnection(row) : null;
}

/** What a write of a connection names: the row as it was read, and the lease of the check, if there is one. */
export interface WrittenRow extends Pick<Connection, "id" | "version"> {
  readonly lease: number | null;
}

/** Whether nobody has leased or written the connection since the lease was given. */
export function holdsLease(lease: number | null) {
  return sql<boolean>`exists (select from connection_checks k where k.connection_id = connections.id
    and k.tenant_id = connections.tenant_id and k.version = ${lease})`;
}

/** A diagnosis holds while state and error code do; after that what the code itself says. */
function findingAfter({ state, errorCode }: ConnectionUpdate) {
  const headline = jsonOrNull(headlineOf(state, errorCode));
  return sql<
    string | null
  >`case when state = ${state} and error_code is not distinct from ${errorCode}
    then coalesce(finding, ${headline}::jsonb) else ${headline}::jsonb end`;
}

/** Stores the first finding of a diagnosis, unless it is there already. */
export async function storeFinding(
  tx: Tx,
  id: string,
  finding: FindingHeadline | null,
): Promise<void> {
  const stored = jsonOrNull(finding);
  await sql`update connections set finding = ${stored}::jsonb
    where id = ${id} and finding is distinct from ${stored}::jsonb`.execute(tx);
}

export function toConnection(row: ConnectionRow): Connection {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    environment: row.environment,
    applicationId: row.application_id,
    hostname: row.hostname,
    registrableDomain: row.registrable_domain,
    kind: row.kind,
    setupType: row.setup_type,
    state: row.state,
    provider: row.provider,
    batchId: row.batch_id,
    errorCode: row.error_code,
    challenge: row.challenge,
    mayUseCredentials: row.may_use_credentials,
    zone: row.zone,
    desiredRecords: row.desired_records,
    pendingRecords: row.pending_records,
    observedRecords: observedSince(row),
    phaseStartedAt: row.phase_started_at,
    checks: row.checks,
    misses: row.misses,
    firstMissAt: row.first_miss_at,
    contest: toContest(row),
    redirectTo: row.redirect_to,
    originUrl: row.origin_url,
    originHostHeader: row.origin_host_header,
    customerRef: row.customer_ref,
    validationLabel: row.validation_label,
    validationStatus: row.validation_status,
    cutover: row.cutover,
    firstLiveAt: row.first_live_at,
    lastCheckedAt: later(row.last_checked_at, row.checked_at),
    certificateId: row.certificate_id,
    sequence: row.sequence,
    version: row.version,
    createdAt: row.created_at,
    archivedAt: row.archived_at,
  };
}

/** Checks that saw the same since are not in the row. */
function observedSince({
  observed_records,
  observed_at,
}: ConnectionRow): readonly ObservedRecord[] {
  const entries = boundObserved(observed_records);
  const since = observed_at?.toISOString() ?? "";
  return entries.map((entry) =>
    entry.observed_at < since ? { ...entry, observed_at: since } : entry,
  );
}

function later(one: Date | null, other: Date | null): Date | null {
  return other !== null && (one === null || one < other) ? other : one;
}

export function toContest({ contest_since: since, contest_deadline: deadline }: ContestColumns) {
  return since !== null && deadline !== null ? { since, deadline } : null;
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : jsonColumn(value);
}
