import { type Selectable, sql } from "kysely";
import type { Connection, ConnectionState, VisibleConnection } from "../domain/connection.ts";
import type { TenantScope } from "../domain/tenancy.ts";
import { afterPosition, type Page, type PageRequest, toPage } from "./page.ts";
import type { Database } from "./pool.ts";
import type { Tables } from "./tables.ts";
import { readInTenant } from "./tenant-read.ts";
import type { Tx } from "./transaction.ts";

export const connectionColumns = [
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
  "desired_records",
  "observed_records",
  "phase_started_at",
  "checks",
  "misses",
  "first_miss_at",
  "last_checked_at",
  "first_live_at",
  "certificate_id",
  "sequence",
  "version",
  "created_at",
  "archived_at",
] as const;

export type ConnectionRow = Pick<
  Selectable<Tables["connections"]>,
  (typeof connectionColumns)[number]
>;

/**
 * Held until the transaction ends. Every write that creates, moves or archives a connection takes
 * it first, so that claims, takeovers and resumes of one hostname happen one after the other.
 */
export async function lockHostname(tx: Tx, hostname: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`hostname:${hostname}`}, 0))`.execute(
    tx,
  );
}

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
      error_code: connection.errorCode,
      challenge: connection.challenge,
      may_use_credentials: connection.mayUseCredentials,
      desired_records: JSON.stringify(connection.desiredRecords),
      observed_records: JSON.stringify(connection.observedRecords),
      phase_started_at: connection.phaseStartedAt,
      checks: connection.checks,
      misses: connection.misses,
      first_miss_at: connection.firstMissAt,
      last_checked_at: connection.lastCheckedAt,
      first_live_at: connection.firstLiveAt,
      certificate_id: connection.certificateId,
      sequence: connection.sequence,
      version: connection.version,
      due_at: dueAt,
      leased_until: null,
      recheck_requested: false,
      created_at: connection.createdAt,
      archived_at: connection.archivedAt,
    })
    .execute();
}

export async function selectConnection(tx: Tx, id: string): Promise<Connection | null> {
  const row = await tx
    .selectFrom("connections")
    .select(connectionColumns)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? toConnection(row) : null;
}

/** Read to be written: no worker claims it and nobody writes it until the transaction ends. */
export async function lockConnection(tx: Tx, id: string): Promise<Connection | null> {
  const row = await tx
    .selectFrom("connections")
    .select(connectionColumns)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ? toConnection(row) : null;
}

/** The newest connection of this application for the hostname that is not over. */
export async function selectOpenConnection(
  tx: Tx,
  applicationId: string,
  hostname: string,
): Promise<Connection | null> {
  const row = await tx
    .selectFrom("connections")
    .select(connectionColumns)
    .where("hostname", "=", hostname)
    .where("application_id", "=", applicationId)
    .where("state", "not in", ["archived", "failed"])
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? toConnection(row) : null;
}

/** A list shows a connection without its records. */
const summaryColumns = [
  "id",
  "application_id",
  "environment",
  "hostname",
  "kind",
  "setup_type",
  "state",
  "provider",
  "batch_id",
  "error_code",
  "created_at",
] as const;

type SummaryRow = Pick<ConnectionRow, (typeof summaryColumns)[number]>;

export interface ConnectionFilter {
  readonly state: ConnectionState | null;
  readonly hostname: string | null;
}

/** A page in one round trip; the index is entered at the position, so that every page costs the same. */
export async function pageConnections(
  database: Database,
  scope: TenantScope,
  filter: ConnectionFilter,
  page: PageRequest,
): Promise<Page<VisibleConnection>> {
  let query = database.query
    .selectFrom("connections")
    .select(summaryColumns)
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment);
  if (filter.state) query = query.where("state", "=", filter.state);
  if (filter.hostname) query = query.where("hostname", "=", filter.hostname);
  if (page.after) query = query.where(afterPosition(page.after));
  const compiled = query
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(page.limit + 1)
    .compile();
  const [rows = []] = await readInTenant(database, scope, [compiled]);
  return toPage(rows.map(asSummaryRow), page.limit, toSummary);
}

/** The columns are those of `summaryColumns`, parsed as the driver parses every other result. */
function asSummaryRow(row: Record<string, unknown>): SummaryRow {
  return row as SummaryRow;
}

function toSummary(row: SummaryRow): VisibleConnection {
  return {
    id: row.id,
    applicationId: row.application_id,
    environment: row.environment,
    hostname: row.hostname,
    kind: row.kind,
    setupType: row.setup_type,
    state: row.state,
    provider: row.provider,
    batchId: row.batch_id,
    errorCode: row.error_code,
    createdAt: row.created_at,
  };
}

/** The fields that a look at a connection may change. */
export interface ConnectionUpdate {
  readonly state: ConnectionState;
  readonly setupType: Connection["setupType"];
  readonly errorCode: Connection["errorCode"];
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
}

/**
 * Compare-and-set on the version: null when someone else has claimed or written the row since it
 * was read. Gives the lease back; a recheck asked for meanwhile makes the row due at once.
 */
export async function updateConnection(
  tx: Tx,
  id: string,
  version: number,
  update: ConnectionUpdate,
  now: Date,
): Promise<Connection | null> {
  const row = await tx
    .updateTable("connections")
    .set((eb) => ({
      state: update.state,
      setup_type: update.setupType,
      error_code: update.errorCode,
      observed_records: JSON.stringify(update.observedRecords),
      phase_started_at: update.phaseStartedAt,
      checks: update.checks,
      misses: update.misses,
      first_miss_at: update.firstMissAt,
      first_live_at: update.firstLiveAt,
      last_checked_at: update.lastCheckedAt,
      certificate_id: update.certificateId,
      sequence: update.sequence,
      archived_at: update.archivedAt,
      due_at: sql<Date | null>`case when recheck_requested and ${update.dueAt}::timestamptz is not null
        then ${now}::timestamptz else ${update.dueAt}::timestamptz end`,
      recheck_requested: false,
      leased_until: null,
      version: eb("version", "+", 1),
    }))
    .where("id", "=", id)
    .where("version", "=", version)
    .returning(connectionColumns)
    .executeTakeFirst();
  return row ? toConnection(row) : null;
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
    desiredRecords: row.desired_records,
    observedRecords: row.observed_records,
    phaseStartedAt: row.phase_started_at,
    checks: row.checks,
    misses: row.misses,
    firstMissAt: row.first_miss_at,
    firstLiveAt: row.first_live_at,
    lastCheckedAt: row.last_checked_at,
    certificateId: row.certificate_id,
    sequence: row.sequence,
    version: row.version,
    createdAt: row.created_at,
    archivedAt: row.archived_at,
  };
}
