import { type SqlBool, sql } from "kysely";
import type { CertificateFault } from "../../../domain/certificates/certificate.ts";
import type {
  Connection,
  ConnectionError,
  ConnectionState,
} from "../../../domain/connections/connection.ts";
import { newId } from "../../../domain/id.ts";
import type { TenantScope } from "../../../domain/tenancy.ts";
import { jsonColumn } from "../../engine/json-column.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { TimelineKind } from "../../tables.ts";
import type { AuditSource } from "../operator/audit.ts";
import { nameOfActor } from "../operator/audit-pages.ts";
import { fetchPage, type Page, type PageRequest } from "../page.ts";

/** Records the first failure or the end of a delivery on the timeline of its connection. */
export async function noteDelivery(
  tx: Tx,
  delivery: TenantScope & {
    readonly connectionId: string | null;
    readonly endpointId: string;
    readonly eventType: string;
  },
  outcome: {
    readonly status: string;
    readonly statusCode: number | null;
    readonly error: string | null;
    readonly nextAttemptAt: Date | null;
  },
  now: Date,
): Promise<void> {
  if (delivery.connectionId === null) return;
  await tx
    .insertInto("timeline")
    .values({
      id: newId(now),
      tenant_id: delivery.tenantId,
      environment: delivery.environment,
      connection_id: delivery.connectionId,
      kind: "delivery",
      from_state: null,
      to_state: null,
      error_code: null,
      details: jsonColumn({
        endpoint_id: delivery.endpointId,
        event: delivery.eventType,
        status: outcome.status,
        ...(outcome.statusCode === null ? {} : { status_code: outcome.statusCode }),
        ...(outcome.error === null ? {} : { error: outcome.error }),
        ...(outcome.nextAttemptAt && { next_attempt_at: outcome.nextAttemptAt.toISOString() }),
      }),
      actor: service,
      actor_name: null,
      created_at: now,
    })
    .execute();
}

/** The actor of what nobody asked for, as in the audit log. */
const service = "worker";

interface NewEntry {
  readonly kind: TimelineKind;
  readonly fromState: ConnectionState | null;
  readonly toState: ConnectionState | null;
  readonly errorCode: ConnectionError | null;
  readonly details: object;
  readonly createdAt: Date;
}

/** `by` is who caused it; without it the service did by itself. */
export async function insertTimeline(
  tx: Tx,
  connection: Connection,
  entry: NewEntry & { readonly by?: Pick<AuditSource, "actor" | "actorName"> | null },
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
      details: jsonColumn(entry.details),
      actor: entry.by?.actor ?? service,
      actor_name: entry.by?.actorName ?? null,
      created_at: entry.createdAt,
    })
    .execute();
}

/** Why no certificate was obtained when the connection was given up; null where it is not known. */
export async function selectLastFault(
  tx: Tx,
  { id }: Pick<Connection, "id">,
): Promise<CertificateFault | null> {
  const row = await tx
    .selectFrom("timeline")
    .select([
      sql<string | null>`details->'ca_error'->>'type'`.as("type"),
      sql<string | null>`coalesce(details->'ca_error'->>'detail', details->>'cause')`.as("detail"),
    ])
    .where("connection_id", "=", id)
    .where("kind", "=", "state")
    .where("error_code", "=", "certificate_timeout")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.detail == null ? null : { type: row.type, detail: row.detail };
}

/** Whether somebody has said that the records of the connection were added. */
export async function hasRecordsAdded(tx: Tx, { id }: Pick<Connection, "id">): Promise<boolean> {
  const row = await tx
    .selectFrom("timeline")
    .select("id")
    .where("connection_id", "=", id)
    .where("kind", "=", "check")
    .where(sql<SqlBool>`details @> '{"records_added": true}'`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * What an entry is about; an `action` is a row of the audit log, without what only an admin sees
 * there.
 */
export const shownKinds = [
  "state",
  "check",
  "write",
  "certificate",
  "delivery",
  "visit",
  "action",
] as const;
export type ShownKind = (typeof shownKinds)[number];

export interface TimelineEntry extends Omit<NewEntry, "kind"> {
  readonly id: string;
  readonly kind: ShownKind;
  /** Who caused it: `kind:id`, or a word for what has no id. Null where that is not known. */
  readonly actor: string | null;
  readonly actorName: string | null;
}

/** A PATCH of the connection, with the names of the fields that it changed. */
const settingsAction = "connection.update";

/**
 * The entries of these kinds, and with `hasSettings` the changes of settings. Both parts are read
 * in the order of their indexes.
 */
export async function pageTimeline(
  tx: Tx,
  { id, tenantId }: Pick<Connection, "id" | "tenantId">,
  { kinds, hasSettings }: { readonly kinds: readonly ShownKind[]; readonly hasSettings: boolean },
  page: PageRequest,
): Promise<Page<TimelineEntry>> {
  const subject = `connection:${id}`;
  const stored = tx
    .selectFrom("timeline")
    .select(["id", "from_state", "to_state", "error_code", "details", "created_at"])
    .select([sql<ShownKind>`kind`.as("kind"), "actor", nameOfActor])
    .where("connection_id", "=", id)
    .where(sql<SqlBool>`kind = any (${kinds}::text[])`);
  const actions = tx
    .selectFrom("audit_log")
    .select([
      "id",
      sql<ConnectionState | null>`null::text`.as("from_state"),
      sql<ConnectionState | null>`null::text`.as("to_state"),
      sql<ConnectionError | null>`null::text`.as("error_code"),
      sql<object>`jsonb_build_object('action', action)
        || case when action = ${settingsAction} then details else '{}' end`.as("details"),
      "at as created_at",
      sql<ShownKind>`'action'::text`.as("kind"),
      "actor",
      nameOfActor,
    ])
    .where("tenant_id", "=", tenantId)
    .where("subject", "=", subject)
    // Each of those is an entry of its own.
    .where("action", "<>", "connection.transition");
  const visits = tx
    .selectFrom(
      sql<{ connection_id: string; at: Date }>`(select * from first_visits)`.as("first_visits"),
    )
    .select([
      "connection_id as id",
      sql<ConnectionState | null>`null::text`.as("from_state"),
      sql<ConnectionState | null>`null::text`.as("to_state"),
      sql<ConnectionError | null>`null::text`.as("error_code"),
      sql<object>`'{"first": true}'::jsonb`.as("details"),
      "at as created_at",
      sql<ShownKind>`'visit'::text`.as("kind"),
      sql<string | null>`${service}::text`.as("actor"),
      sql<string | null>`null::text`.as("actor_name"),
    ])
    .where("connection_id", "=", id);
  const entries = kinds.includes("visit") ? stored.unionAll(visits) : stored;
  const settings = actions.where("action", "=", settingsAction);
  const acted = kinds.includes("action") ? actions : hasSettings ? settings : null;
  const listed = acted === null ? entries : entries.unionAll(acted);
  const found = await fetchPage(tx.selectFrom(listed.as("listed")).selectAll(), page, (row) => ({
    id: row.id,
    kind: row.kind,
    fromState: row.from_state,
    toState: row.to_state,
    errorCode: row.error_code,
    details: row.details,
    actor: row.actor,
    actorName: row.actor_name,
    createdAt: row.created_at,
  }));
  return { ...found, items: await withMovers(tx, { tenantId, subject }, found.items) };
}

/**
 * Adds who asked for the check that changed a state, of entries of an earlier release, which do not
 * name their actor.
 */
async function withMovers(
  tx: Tx,
  { tenantId, subject }: { readonly tenantId: string; readonly subject: string },
  entries: readonly TimelineEntry[],
): Promise<readonly TimelineEntry[]> {
  const isUnnamed = ({ kind, actor }: TimelineEntry) => kind === "state" && actor === null;
  const moves = entries.filter(isUnnamed).map(({ createdAt }) => createdAt);
  if (moves.length === 0) return entries;
  const rows = await tx
    .selectFrom("audit_log")
    .select(["at", "actor", nameOfActor])
    .where("tenant_id", "=", tenantId)
    .where("subject", "=", subject)
    .where("action", "=", "connection.transition")
    .where("at", "in", moves)
    .where("actor", "like", "%:%")
    .execute();
  const byTime = new Map(rows.map((row) => [row.at.getTime(), row]));
  return entries.map((entry) => {
    const mover = isUnnamed(entry) ? byTime.get(entry.createdAt.getTime()) : undefined;
    return mover === undefined
      ? entry
      : { ...entry, actor: mover.actor, actorName: mover.actor_name };
  });
}
