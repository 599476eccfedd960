import { sql } from "kysely";
import type { TenantScope } from "../../../domain/tenancy.ts";
import type { Tx } from "../../engine/transaction.ts";
import { announceDue } from "../connections/due-connections.ts";

/** Long work for one endpoint, done in pieces. */
export interface EndpointJob {
  readonly id: string;
  readonly endpointId: string;
  readonly kind: "resume" | "replay" | "delete";
  /** Of a replay: the first event's time. */
  readonly since: Date | null;
  /** Of a replay: only events of this kind; null for all. */
  readonly eventType: string | null;
  /** Of a replay: only events whose delivery has failed. */
  readonly isFailedOnly: boolean;
  /** Of a replay: events up to this one are done; null at the start. */
  readonly cursorAt: Date | null;
  readonly cursorId: string | null;
  readonly createdAt: Date;
}

/** What one piece did; the job has ended when it found less than a piece has. */
export interface Piece {
  readonly done: number;
  readonly isLast: boolean;
}

export async function insertEndpointJob(
  tx: Tx,
  scope: TenantScope,
  job: EndpointJob,
): Promise<void> {
  await sql`insert into endpoint_jobs (id, tenant_id, environment, endpoint_id, kind, since, event_type,
      failed_only, created_at)
    values (${job.id}, ${scope.tenantId}, ${scope.environment}, ${job.endpointId}, ${job.kind}, ${job.since},
      ${job.eventType}, ${job.isFailedOnly}, ${job.createdAt})`.execute(tx);
}

/** One of the oldest open jobs that no other worker has; several continue alternately. */
export async function lockOpenJob(tx: Tx): Promise<EndpointJob | null> {
  const { rows } = await sql<EndpointJob>`
    select id, endpoint_id as "endpointId", kind, since, event_type as "eventType",
      failed_only as "isFailedOnly", cursor_at as "cursorAt", cursor_id as "cursorId",
      created_at as "createdAt" from endpoint_jobs
    where id in (select id from endpoint_jobs where finished_at is null order by created_at limit 64)
    order by random() limit 1 for update skip locked`.execute(tx);
  return rows[0] ?? null;
}

export async function recordPiece(
  tx: Tx,
  job: Pick<EndpointJob, "id">,
  piece: Piece,
  now: Date,
): Promise<void> {
  await sql`update endpoint_jobs set done = done + ${piece.done},
      finished_at = case when ${piece.isLast} then ${now}::timestamptz end
    where id = ${job.id}`.execute(tx);
}

/**
 * What is open is due now: what was put off, and what an earlier release took out of the queue.
 * What has been sent since the endpoint was switched on waits for its own next attempt.
 */
export async function resumePiece(tx: Tx, job: EndpointJob, limit: number): Promise<Piece> {
  const isUntried = sql`coalesce((attempts -> -1 ->> 'at')::timestamptz < ${job.createdAt}, true)`;
  const { numAffectedRows } = await sql`
    update deliveries set due_at = ${job.createdAt} where id in (
      (select id from deliveries where endpoint_id = ${job.endpointId} and due_at is null
         and status in ('pending', 'failed') and ${isUntried} limit ${limit})
      union all
      (select id from deliveries where endpoint_id = ${job.endpointId} and due_at > ${job.createdAt}
         and leased_until is null and ${isUntried} order by due_at limit ${limit}))`.execute(tx);
  announceDue(tx, "deliveries");
  const done = Number(numAffectedRows ?? 0n);
  return { done, isLast: done < limit };
}

const beforeAll = "00000000-0000-0000-0000-000000000000";

/**
 * The next events of the application until the job was made that the endpoint subscribes to, once
 * more.
 */
export async function replayPiece(tx: Tx, job: EndpointJob, limit: number): Promise<Piece> {
  const { rows } = await sql<{ read: number; queued: number }>`
    with piece as materialized (
      select e.id, e.type, e.created_at, e.connection_id
      from webhook_endpoints w cross join lateral (
        select * from events e where e.application_id = w.application_id and e.created_at <= ${job.createdAt}
          and (e.created_at, e.id) > (${job.cursorAt ?? job.since}::timestamptz, ${job.cursorId ?? beforeAll}::uuid)
        order by e.created_at, e.id limit ${limit}) e
      where w.id = ${job.endpointId}),
    queued as (
      insert into deliveries as d
        (id, tenant_id, environment, endpoint_id, event_id, event_type, status, due_at, created_at)
      select new_id(${job.createdAt}), w.tenant_id, w.environment, w.id, p.id, p.type, 'pending',
        ${job.createdAt}, ${job.createdAt}
      from piece p join webhook_endpoints w on w.id = ${job.endpointId}
      where p.connection_id is not null and (w.events @> array['*'] or w.events @> array[p.type])
        and (${job.eventType}::text is null or p.type = ${job.eventType})
        and (not ${job.isFailedOnly}::boolean or exists (
          select from deliveries f where f.endpoint_id = w.id and f.event_id = p.id
            and f.status in ('failed', 'exhausted')))
      on conflict (endpoint_id, event_id) do update
        set status = 'pending', tries = 0, due_at = excluded.due_at,
          replay_requested = coalesce(d.leased_until > ${job.createdAt}, false),
          version = d.version + case when d.leased_until > ${job.createdAt} then 0 else 1 end
      returning 1),
    moved as (
      update endpoint_jobs j set cursor_at = l.created_at, cursor_id = l.id
      from (select id, created_at from piece order by created_at desc, id desc limit 1) l
      where j.id = ${job.id})
    select (select count(*)::int from piece) as read, (select count(*)::int from queued) as queued`.execute(
    tx,
  );
  announceDue(tx, "deliveries");
  const { read = 0, queued = 0 } = rows[0] ?? {};
  return { done: queued, isLast: read < limit };
}

/** The log of a deleted endpoint, and at last the endpoint itself, with the job. */
export async function deletePiece(tx: Tx, job: EndpointJob, limit: number): Promise<Piece> {
  const { numAffectedRows } = await sql`delete from deliveries where id in (
    select id from deliveries where endpoint_id = ${job.endpointId} limit ${limit})`.execute(tx);
  const done = Number(numAffectedRows ?? 0n);
  if (done > 0) return { done, isLast: false };
  await sql`delete from webhook_endpoints
    where id = ${job.endpointId} and deleted_at is not null`.execute(tx);
  return { done, isLast: true };
}

/** Forgets jobs that ended before the time. */
export async function sweepEndpointJobs(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from endpoint_jobs where id in (
    select id from endpoint_jobs where finished_at < ${before} limit ${limit})`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
