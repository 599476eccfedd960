import { foreignLine } from "@mooring/dns";
import { sql } from "kysely";
import type { DeliveryAttempt } from "../../../domain/webhooks/webhook.ts";
import { jsonColumn } from "../../engine/json-column.ts";
import type { Tx } from "../../engine/transaction.ts";
import { holdsLease } from "../connections/connections.ts";
import { announceDue, type DueConnection } from "../connections/due-connections.ts";
import { insertTimeline } from "../connections/timeline.ts";
import type { DueDelivery } from "../webhooks/due-deliveries.ts";

const reasonLength = 500;

export interface Parked {
  readonly failures: number;
  readonly error: unknown;
  readonly now: Date;
}

/** Takes the connection out of work, with an error code. Nothing when the lease was lost. */
export async function parkConnection(
  tx: Tx,
  connection: DueConnection,
  parked: Parked,
): Promise<void> {
  const { numAffectedRows } = await sql`
    update only connections set leased_until = null, due_at = null, failures = ${parked.failures},
      parked_at = ${parked.now}, parked_reason = ${describeFailure(parked.error)}, error_code = 'check_failed',
      version = version + 1
    where id = ${connection.id} and version = ${connection.version} and due_at is not null
      and ${holdsLease(connection.lease)}`.execute(tx);
  if (numAffectedRows !== 1n) return;
  await insertTimeline(tx, connection, {
    kind: "check",
    fromState: null,
    toState: null,
    errorCode: "check_failed",
    details: {},
    createdAt: parked.now,
  });
}

/** The same for a delivery, whose log says so. */
export async function parkDelivery(
  tx: Tx,
  delivery: Pick<DueDelivery, "id" | "version">,
  attempt: DeliveryAttempt,
  parked: Parked,
): Promise<void> {
  await sql`
    update deliveries set leased_until = null, due_at = null, failures = ${parked.failures},
      parked_at = ${parked.now}, parked_reason = ${describeFailure(parked.error)}, status = 'failed',
      attempts = attempts || ${jsonColumn([attempt])}::jsonb, version = version + 1
    where id = ${delivery.id} and version = ${delivery.version}`.execute(tx);
}

function describeFailure(error: unknown): string {
  return foreignLine(error instanceof Error ? error.message : String(error), reasonLength);
}

export type ParkedWork = "connections" | "deliveries";

/** A row that no worker tries any more. */
export interface ParkedRow {
  readonly work: ParkedWork;
  readonly id: string;
  readonly tenantId: string;
  /** The hostname, or the type of the event. */
  readonly subject: string;
  readonly parkedAt: Date;
  readonly reason: string | null;
}

/** Longest parked first. */
export async function selectParked(tx: Tx, limit: number): Promise<readonly ParkedRow[]> {
  const { rows } = await sql<ParkedRow>`
    (select 'connections' as work, id, tenant_id as "tenantId", hostname as subject, parked_at as "parkedAt",
       parked_reason as reason
     from only connections where parked_at is not null and due_at is null order by parked_at limit ${limit})
    union all
    (select 'deliveries', id, tenant_id, event_type, parked_at, parked_reason
     from deliveries where parked_at is not null and due_at is null order by parked_at limit ${limit})
    order by "parkedAt" limit ${limit}`.execute(tx);
  return rows;
}

/** How many rows of each kind are parked; counted to a limit. */
export async function countParked(
  tx: Tx,
): Promise<readonly { readonly work: ParkedWork; readonly rows: number }[]> {
  const { rows } = await sql<{ work: ParkedWork; rows: number }>`
    select 'connections' as work, count(*)::int as rows from (
      select from only connections where parked_at is not null and due_at is null limit 10000) as c
    union all
    select 'deliveries', count(*)::int from (
      select from deliveries where parked_at is not null and due_at is null limit 10000) as d`.execute(
    tx,
  );
  return rows;
}

/** Makes parked rows due again, all of them or those with these ids; returns how many. */
export async function wakeParked(
  tx: Tx,
  ids: readonly string[] | "all",
  now: Date,
): Promise<number> {
  const which = ids === "all" ? sql`true` : sql`id = any (${[...ids]}::uuid[])`;
  let woken = 0;
  for (const table of ["connections", "deliveries"]) {
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set due_at = ${now}, failures = 0
      where parked_at is not null and due_at is null and ${which}`.execute(tx);
    woken += Number(numAffectedRows ?? 0n);
    announceDue(tx, table);
  }
  return woken;
}
