import { type Selectable, type SqlBool, sql } from "kysely";
import type { Connection, VisibleConnection } from "../../../domain/connections/connection.ts";
import { newId } from "../../../domain/id.ts";
import type { TenantScope } from "../../../domain/tenancy.ts";
import {
  type AnyEventType,
  type ApplicationEventType,
  applicationEventBody,
  type EventType,
  eventBody,
} from "../../../domain/webhooks/event.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { Tables } from "../../tables.ts";
import { fetchPage, type Page, type PageRequest } from "../page.ts";
import { fanOut } from "./deliveries.ts";

/**
 * Writes an event with its final bytes and its deliveries, in the transaction of the change it
 * reports.
 */
export async function insertEvent(
  tx: Tx,
  connection: Connection,
  event: {
    readonly type: EventType;
    readonly sequence: number;
    readonly at: Date;
    readonly data: object;
  },
): Promise<void> {
  const id = newId(event.at);
  await tx
    .insertInto("events")
    .values({
      id,
      tenant_id: connection.tenantId,
      environment: connection.environment,
      application_id: connection.applicationId,
      connection_id: connection.id,
      sequence: event.sequence,
      type: event.type,
      body: eventBody({ id, ...event, connection }),
      customer_ref: connection.customerRef,
      created_at: event.at,
    })
    .execute();
  const { applicationId } = connection;
  await fanOut(tx, { id, applicationId, type: event.type, at: event.at });
}

/** An event of an application. Who gets it is the caller's to say. */
export async function insertApplicationEvent(
  tx: Tx,
  scope: TenantScope,
  event: {
    readonly type: ApplicationEventType;
    readonly applicationId: string;
    readonly at: Date;
    /** The connection that it affects, if any. */
    readonly connection: VisibleConnection | null;
    readonly data: object;
  },
): Promise<string> {
  const { at, applicationId } = event;
  const id = newId(at);
  await tx
    .insertInto("events")
    .values({
      id,
      tenant_id: scope.tenantId,
      environment: scope.environment,
      application_id: applicationId,
      // The sequence of a connection counts its own events only.
      connection_id: null,
      sequence: 0,
      type: event.type,
      body: applicationEventBody({ id, ...event, environment: scope.environment }),
      customer_ref: event.connection?.customerRef ?? null,
      created_at: at,
    })
    .execute();
  return id;
}

export interface StoredEvent {
  readonly id: string;
  readonly type: AnyEventType;
  /** The very text that deliveries carry. */
  readonly body: string;
  readonly createdAt: Date;
}

const storedColumns = ["id", "type", "body", "created_at"] as const;

function toStoredEvent(
  row: Pick<Selectable<Tables["events"]>, (typeof storedColumns)[number]>,
): StoredEvent {
  return { id: row.id, type: row.type, body: row.body, createdAt: row.created_at };
}

export async function pageEvents(
  tx: Tx,
  scope: TenantScope,
  filter: {
    readonly applicationId: string | null;
    readonly type: AnyEventType | null;
    readonly customerRef: string | null;
  },
  page: PageRequest,
): Promise<Page<StoredEvent>> {
  let query = tx
    .selectFrom("events")
    .select(storedColumns)
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment);
  if (filter.applicationId) query = query.where("application_id", "=", filter.applicationId);
  if (filter.customerRef !== null) query = query.where("customer_ref", "=", filter.customerRef);
  if (filter.type) query = query.where("type", "=", filter.type);
  return fetchPage(query, page, toStoredEvent);
}

export interface EventPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** Events after a position up to a time, oldest first. */
export async function selectEventsAfter(
  tx: Tx,
  scope: TenantScope,
  request: {
    readonly applicationId: string | null;
    readonly connectionId: string | null;
    readonly after: EventPosition;
    /** Ids to leave out. */
    readonly without: readonly string[];
    readonly until: Date;
    readonly limit: number;
  },
): Promise<StoredEvent[]> {
  const { after, applicationId, connectionId } = request;
  let query = tx
    .selectFrom("events")
    .select(storedColumns)
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment)
    .where(sql<SqlBool>`(created_at, id) > (${after.createdAt}, ${after.id}::uuid)`)
    .where("created_at", "<=", request.until)
    .where(sql<SqlBool>`id <> all (${request.without}::uuid[])`);
  if (applicationId !== null) query = query.where("application_id", "=", applicationId);
  if (connectionId !== null) query = query.where("connection_id", "=", connectionId);
  const rows = await query.orderBy("created_at").orderBy("id").limit(request.limit).execute();
  return rows.map(toStoredEvent);
}

/** Removes events older than `before` that have no deliveries left; returns how many. */
export async function sweepEvents(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from events where id in (
    select e.id from events e where e.created_at < ${before}
      and not exists (select 1 from deliveries d where d.event_id = e.id) limit ${limit})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}
