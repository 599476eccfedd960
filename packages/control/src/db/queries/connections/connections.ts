import { sql } from "kysely";
import type { Connection, Contest } from "../../../domain/connections/connection.ts";
import type { FindingHeadline } from "../../../domain/diagnosis/finding.ts";
import { errorHeadline } from "../../../domain/diagnosis/headline.ts";
import type { Ownership } from "../../../domain/ownership/proof-methods.ts";
import type { Tx } from "../../engine/transaction.ts";
import {
  type ConnectionProgress,
  connectionFields,
  jsonOrNull,
  progressColumns,
  toConnection,
} from "./connection-row.ts";
import { allConnections, unmovedConnections } from "./connection-table.ts";

export async function insertConnection(tx: Tx, connection: Connection, dueAt: Date): Promise<void> {
  await tx
    .insertInto("connections")
    .values({
      ...progressColumns(connection),
      id: connection.id,
      tenant_id: connection.tenantId,
      environment: connection.environment,
      application_id: connection.applicationId,
      hostname: connection.hostname,
      registrable_domain: connection.registrableDomain,
      kind: connection.kind,
      provider: connection.provider,
      batch_id: connection.batchId,
      customer_ref: connection.customerRef,
      redirect_to: connection.redirectTo,
      origin_url: connection.originUrl,
      origin_host_header: connection.originHostHeader,
      edge: jsonOrNull(connection.edge),
      challenge: connection.challenge,
      may_use_credentials: connection.mayUseCredentials,
      validation_label: connection.validationLabel,
      target_label: connection.targetLabel,
      points_to_target: connection.pointsToTarget,
      cutover: jsonOrNull(connection.cutover),
      version: connection.version,
      due_at: dueAt,
      leased_until: null,
      recheck_requested: false,
      created_at: connection.createdAt,
      state_since: connection.createdAt,
    })
    .execute();
}

/**
 * One that is not where most are may have moved: an archived connection only ever moves from there.
 */
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

/** The newest connection of this application and customer for the hostname that has not ended. */
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
export interface ConnectionUpdate extends ConnectionProgress {
  readonly dueAt: Date | null;
  /** Absent: unchanged, as everything below. */
  readonly validation?: Pick<Connection, "validationLabel" | "validationStatus"> | undefined;
  readonly targetLabel?: string | null | undefined;
  readonly ownership?: Ownership | null | undefined;
  readonly contest?: Contest | null | undefined;
  readonly cutover?: Connection["cutover"] | undefined;
  readonly front?: Connection["front"] | undefined;
  readonly silentServers?: Readonly<Record<string, string>> | undefined;
  /** When somebody watched a sandbox name; absent: unchanged. */
  readonly watchedAt?: Date | undefined;
}

/**
 * Compare-and-set on the version: null when someone else has written the row since it was read, or
 * leased it since the lease in question, and for an archived connection, which is final. Ends any
 * lease; a recheck requested since makes the row due at once: the database puts what is written
 * here into the queue of checks.
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
      ...progressColumns(update),
      state_since: sql<Date>`case when state = ${update.state} then coalesce(state_since, phase_started_at)
        else ${now}::timestamptz end`,
      finding: findingAfter(update),
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
      ...provenColumns(update),
      ...(update.cutover === undefined ? {} : { cutover: jsonOrNull(update.cutover) }),
      ...(update.front === undefined ? {} : { front: jsonOrNull(update.front) }),
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

function provenColumns({ targetLabel, ownership }: ConnectionUpdate) {
  return {
    ...(targetLabel === undefined ? {} : { target_label: targetLabel }),
    ...(ownership === undefined
      ? {}
      : {
          ownership_method: ownership?.method ?? null,
          ownership_proven_at: ownership?.provenAt ?? null,
        }),
  };
}

/**
 * What a write of a connection names: the row as it was read, and the lease of the check, if there
 * is one.
 */
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
  const headline = jsonOrNull(errorHeadline(state, errorCode));
  return sql<
    string | null
  >`case when state = ${state} and error_code is not distinct from ${errorCode}
    then coalesce(finding, ${headline}::jsonb) else ${headline}::jsonb end`;
}

/**
 * Stores the first finding of a diagnosis, unless it is there already. False when something else
 * has become of the connection since: then nothing is stored.
 */
export async function storeFinding(
  tx: Tx,
  { id, state, errorCode }: Pick<Connection, "id" | "state" | "errorCode">,
  finding: FindingHeadline | null,
): Promise<boolean> {
  const stored = jsonOrNull(finding);
  const { rows } = await sql<{ is_stored: boolean }>`
    with unchanged as (
      select finding from connections
      where id = ${id} and state = ${state} and error_code is not distinct from ${errorCode} for update),
    written as (
      update connections set finding = ${stored}::jsonb
      where id = ${id} and exists (
        select from unchanged where finding is distinct from ${stored}::jsonb))
    select exists (select from unchanged) as is_stored`.execute(tx);
  return rows[0]?.is_stored ?? false;
}
