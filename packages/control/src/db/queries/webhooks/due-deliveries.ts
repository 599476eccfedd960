import { sql } from "kysely";
import { newId } from "../../../domain/id.ts";
import type { Environment } from "../../../domain/tenancy.ts";
import { testEventType } from "../../../domain/webhooks/event.ts";
import type {
  DeliveryAttempt,
  DeliveryStatus,
  EndpointFormat,
} from "../../../domain/webhooks/webhook.ts";
import { jsonColumn } from "../../engine/json-column.ts";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";

/** All that one attempt needs, read with the lease. */
export interface DueDelivery {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly applicationId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly connectionId: string | null;
  readonly body: string;
  readonly format: EndpointFormat;
  /** As it may be shown; `sealedUrl` says where to send, if there is one. */
  readonly url: string;
  readonly sealedUrl: string | null;
  readonly sealedSecret: string;
  readonly sealedPreviousSecret: string | null;
  readonly previousUntil: Date | null;
  readonly tries: number;
  readonly attemptsMade: number;
  /** How often in a row no attempt could be made because of the row itself. */
  readonly failures: number;
  readonly version: number;
}

interface DueRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly environment: Environment;
  readonly application_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly connection_id: string | null;
  readonly body: string;
  readonly format: EndpointFormat;
  readonly url: string;
  readonly sealed_url: string | null;
  readonly sealed_secret: string;
  readonly sealed_previous_secret: string | null;
  readonly previous_until: Date | null;
  readonly tries: number;
  readonly attempts_made: number;
  readonly failures: number;
  readonly version: number;
}

/** How many deliveries may be in flight at once, over all workers. */
export interface DeliveryLimits {
  readonly perEndpoint: number;
  readonly perTenant: number;
  /** Of the tenant's, those of its test environment. */
  readonly perTestEnvironment: number;
  /** Endpoints that mostly fail, each with its own smaller limit; mostly 0. */
  readonly capped: ReadonlyMap<string, number>;
}

/**
 * Leases due deliveries of active endpoints, as many as their endpoints and tenants have free slots
 * for, shared between tenants: the delivery comes first whose tenant's environment has the least in
 * flight, the test environment counting double; then the longest overdue. It reads some of the
 * endpoints that are next in the queue, so that it costs the same however many have something open,
 * and reads of each as many as fit. A leased delivery is due again when its lease ends, so it is
 * not in the way of others. A test event reaches an endpoint that is off.
 *
 * Overlapping claims compute the same free slots and the same rows that fit into them, and each row
 * goes to one of the claims; so the limits hold without a lock. Only an older row that appears in
 * between can exceed a limit, by one.
 */
const claimText = `with receivers as materialized (
    select e.id, e.tenant_id, e.environment, e.active
    from endpoints_in_turn($1) q cross join lateral (
      -- By its key: the server would rather read all endpoints while they fit into some hundred pages.
      select * from webhook_endpoints w where w.id = q.endpoint_id and w.deleted_at is null limit 1) e),
  under_way as materialized (
    select t.tenant_id, d.environment, d.endpoint_id, d.count
    from (select distinct tenant_id from receivers) t cross join lateral (
      select l.environment, l.endpoint_id, count(*)::int as count from deliveries l
      where l.tenant_id = t.tenant_id and l.leased_until is not null and l.leased_until > $1
      group by l.environment, l.endpoint_id) d),
  tenants as materialized (
    select t.tenant_id, sum(coalesce(u.count, 0)) as count,
      coalesce(sum(u.count) filter (where u.environment = 'test'), 0) as of_test
    from (select distinct tenant_id from receivers) t left join under_way u on u.tenant_id = t.tenant_id
    group by t.tenant_id),
  fitting as (
    select o.id, o.due_at,
      row_number() over (partition by r.tenant_id order by o.due_at, o.id) as tenant_rank,
      row_number() over (partition by r.tenant_id, r.environment order by o.due_at, o.id) as environment_rank,
      r.environment = 'test' as is_test, n.of_test,
      case when r.environment = 'test' then n.of_test else n.count - n.of_test end as in_flight,
      $5 - n.count as slots
    from receivers r join tenants n on n.tenant_id = r.tenant_id
      left join under_way u on u.endpoint_id = r.id
      left join unnest($6::uuid[], $7::int[]) as capped (endpoint_id, slots) on capped.endpoint_id = r.id
      cross join lateral (
        select d.id, d.due_at from deliveries d
        where d.endpoint_id = r.id and d.due_at <= $1
          and (d.leased_until is null or d.leased_until <= $1)
          and (r.active or d.event_type = '${testEventType}')
        order by d.due_at, d.id
        limit greatest(0, least(capped.slots, $4 - coalesce(u.count, 0)))) o),
  -- More than are claimed, for the claims that overlap.
  first as materialized (
    select f.id, (f.in_flight + f.environment_rank) * (case when f.is_test then 2 else 1 end) as position
    from fitting f where f.tenant_rank <= f.slots
      and (not f.is_test or f.environment_rank <= $8 - f.of_test)
    order by position, f.due_at, f.id limit 4 * $3),
  due as (
    select id from deliveries
    -- As an array: of a join the server would expect a tenth of the table from a limit that it does not know when it
    -- plans, and read all of the table.
    where id = any (array(select id from first))
      -- Of each row as it is by now: what was paused or taken meanwhile is left.
      and due_at <= $1 and (leased_until is null or leased_until <= $1)
    order by (select f.position from first f where f.id = deliveries.id), due_at, id
    limit $3 for update skip locked)
  update deliveries d set leased_until = $2, due_at = $2, version = d.version + 1,
    tries = case when d.replay_requested then 0 else d.tries end, replay_requested = false
  from webhook_endpoints e, events v
  where d.id = any (array(select id from due)) and e.id = d.endpoint_id and v.id = d.event_id
  returning d.id, d.tenant_id, d.environment, e.application_id, d.endpoint_id, d.event_id,
    d.event_type, v.connection_id, v.body, e.format, coalesce(e.masked_url, e.url) as url, e.sealed_url,
    e.sealed_secret, e.sealed_previous_secret,
    e.previous_until, d.tries, jsonb_array_length(d.attempts) as attempts_made, d.failures, d.version`;

export async function claimDueDeliveries(
  database: Database,
  now: Date,
  leasedUntil: Date,
  limit: number,
  { perEndpoint, perTenant, perTestEnvironment, capped }: DeliveryLimits,
): Promise<DueDelivery[]> {
  const rows = await database.prepared<DueRow>({ name: "claim_due_deliveries", text: claimText }, [
    now,
    leasedUntil,
    limit,
    perEndpoint,
    perTenant,
    [...capped.keys()],
    [...capped.values()],
    perTestEnvironment,
  ]);
  // Endpoints without a due delivery wait for their next one, and the others let those behind them
  // come first.
  await database.prepared({ name: "settle_endpoints", text: "select settle_endpoints($1)" }, [now]);
  return rows.map(toDue);
}

const extendText = `update deliveries d set leased_until = $3,
    due_at = case when d.due_at is null then null else $3::timestamptz end
  from unnest($1::uuid[], $2::bigint[]) as h (id, version)
  where d.id = h.id and d.version = h.version and d.leased_until is not null`;

export async function extendDeliveries(
  database: Database,
  leased: ReadonlyMap<string, number>,
  leasedUntil: Date,
): Promise<void> {
  await database.prepared({ name: "extend_delivery_leases", text: extendText }, [
    [...leased.keys()],
    [...leased.values()],
    leasedUntil,
  ]);
}

const releaseText = `update deliveries set leased_until = null, failures = $4,
    due_at = case when due_at is null then null else $3::timestamptz end
  where id = $1 and version = $2`;

/** Releases a lease, due again at `dueAt`; a delivery that was paused since stays paused. */
export async function releaseDelivery(
  database: Database,
  { id, version }: Pick<DueDelivery, "id" | "version">,
  dueAt: Date,
  failures: number,
): Promise<void> {
  const values = [id, version, dueAt, failures];
  await database.prepared({ name: "release_delivery", text: releaseText }, values);
}

/** Replays add attempts without end: the log of a delivery has the last 40. */
const earlier =
  "(case when jsonb_array_length(attempts) >= 40 then attempts - 0 else attempts end)";

/**
 * Adds the attempt to the log and sets the next one; a replay requested since comes first. False
 * when the lease was lost: the attempt is logged all the same, since it was made.
 */
export async function writeAttempt(
  tx: Tx,
  delivery: Pick<DueDelivery, "id" | "version">,
  attempt: DeliveryAttempt,
  next: { readonly status: DeliveryStatus; readonly dueAt: Date | null; readonly now: Date },
): Promise<boolean> {
  const entry = jsonColumn([attempt]);
  const { numAffectedRows } = await sql`
    update deliveries set attempts = ${sql.raw(earlier)} || ${entry}::jsonb,
      tries = case when replay_requested then 0 else tries + 1 end,
      status = case when replay_requested then 'pending' else ${next.status} end,
      due_at = case when replay_requested then ${next.now} else ${next.dueAt}::timestamptz end,
      replay_requested = false, leased_until = null, failures = 0, parked_at = null, version = version + 1
    where id = ${delivery.id} and version = ${delivery.version}`.execute(tx);
  if ((numAffectedRows ?? 0n) > 0n) return true;
  await sql`update deliveries set attempts = ${sql.raw(earlier)} || ${entry}::jsonb
    where id = ${delivery.id}`.execute(tx);
  return false;
}

/**
 * Everything that follows from an accepted attempt, in one statement: it is recorded one round trip
 * after the answer. A crash before that sends the event again.
 */
const successText = `with written as (
    update deliveries set attempts = ${earlier} || $3::jsonb,
      tries = case when replay_requested then 0 else tries + 1 end,
      status = case when replay_requested then 'pending' else 'delivered' end,
      due_at = case when replay_requested then $4::timestamptz end,
      replay_requested = false, leased_until = null, failures = 0, parked_at = null, version = version + 1
    where id = $1 and version = $2
    returning tenant_id, environment, endpoint_id, event_type),
  well as (
    update webhook_endpoints set failing_since = null, last_failed_at = null
    where id = (select e.id from webhook_endpoints e join written w on e.id = w.endpoint_id
      where e.failing_since is not null for no key update of e skip locked)),
  noted as (
    insert into timeline (id, tenant_id, environment, connection_id, kind, details, actor, created_at)
    select $5, tenant_id, environment, $6, 'delivery', jsonb_build_object('endpoint_id', endpoint_id,
      'event', event_type, 'status', 'delivered'), 'worker', $4
    from written where $6::uuid is not null)
  select from written`;

const lateText = `update deliveries set attempts = ${earlier} || $2::jsonb where id = $1`;

/** When the lease was lost, the attempt is logged all the same, since it was made. */
export async function writeSuccess(
  database: Database,
  delivery: Pick<DueDelivery, "id" | "version" | "connectionId">,
  attempt: DeliveryAttempt,
  now: Date,
): Promise<void> {
  const { id, version, connectionId } = delivery;
  const entry = jsonColumn([attempt]);
  const written = await database.prepared({ name: "write_delivery_success", text: successText }, [
    id,
    version,
    entry,
    now,
    newId(now),
    connectionId,
  ]);
  if (written.length === 1) return;
  await database.prepared({ name: "write_late_success", text: lateText }, [id, entry]);
}

function toDue(row: DueRow): DueDelivery {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    environment: row.environment,
    applicationId: row.application_id,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    connectionId: row.connection_id,
    body: row.body,
    format: row.format,
    url: row.url,
    sealedUrl: row.sealed_url,
    sealedSecret: row.sealed_secret,
    sealedPreviousSecret: row.sealed_previous_secret,
    previousUntil: row.previous_until,
    tries: row.tries,
    attemptsMade: row.attempts_made,
    failures: row.failures,
    version: row.version,
  };
}
