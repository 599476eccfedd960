import type { Connection, ConnectionError, ConnectionState } from "../domain/connection.ts";
import { type EventType, eventBody } from "../domain/event.ts";
import { newId } from "../domain/id.ts";
import { afterPosition, type Page, type PageRequest, toPage } from "./page.ts";
import type { TimelineKind } from "./tables.ts";
import type { Tx } from "./transaction.ts";

/** Writes an event with its final bytes, in the transaction that it tells of. */
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
      created_at: event.at,
    })
    .execute();
}

export interface TimelineEntry {
  readonly id: string;
  readonly kind: TimelineKind;
  readonly fromState: ConnectionState | null;
  readonly toState: ConnectionState | null;
  readonly errorCode: ConnectionError | null;
  readonly details: object;
  readonly createdAt: Date;
}

export async function insertTimeline(
  tx: Tx,
  connection: Connection,
  entry: Omit<TimelineEntry, "id">,
): Promise<void> {
  await tx
    .insertInto("timeline")
    .values({
      id: newId(entry.createdAt),
      tenant_id: connection.tenantId,
      environment: connection.environment,
      connection_id: connection.id,
      kind: entry.kind,
      from_state: entry.fromState,
      to_state: entry.toState,
      error_code: entry.errorCode,
      details: JSON.stringify(entry.details),
      created_at: entry.createdAt,
    })
    .execute();
}

export async function pageTimeline(
  tx: Tx,
  connectionId: string,
  page: PageRequest,
): Promise<Page<TimelineEntry>> {
  let query = tx
    .selectFrom("timeline")
    .select(["id", "kind", "from_state", "to_state", "error_code", "details", "created_at"])
    .where("connection_id", "=", connectionId);
  if (page.after) query = query.where(afterPosition(page.after));
  const rows = await query
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(rows, page.limit, (row) => ({
    id: row.id,
    kind: row.kind,
    fromState: row.from_state,
    toState: row.to_state,
    errorCode: row.error_code,
    details: row.details,
    createdAt: row.created_at,
  }));
}
