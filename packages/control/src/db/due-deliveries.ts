import { sql } from "kysely";
import type { Environment } from "../domain/tenancy.ts";
import type { DeliveryAttempt, DeliveryStatus } from "../domain/webhook.ts";
import type { Database } from "./pool.ts";
import { type Tx, translateDatabaseError } from "./transaction.ts";

/** All that one attempt needs, read with the lease. */
export interface DueDelivery {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly connectionId: string | null;
  readonly body: string;
  readonly url: string;
  readonly sealedSecret: string;
  readonly sealedPreviousSecret: string | null;
  readonly previousUntil: Date | null;
  readonly failingSince: Date | null;
  readonly tries: number;
  readonly attemptsMade: number;
  readonly version: number;
}

interface DueRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly environment: Environment;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly connection_id: string | null;
  readonly body: string;
  readonly url: string;
  readonly sealed_secret: string;
  readonly sealed_previous_secret: string | null;
  readonly previous_until: Date | null;
  readonly failing_since: Date | null;
  readonly tries: number;
  readonly attempts_made: number;
  readonly version: number;
}

/**
 * Leases due deliveries of active endpoints, longest overdue first, leaving out endpoints that this
 * process has enough of or is sparing. A test event reaches an endpoint that is off.
 */
export async function claimDueDeliveries(
  database: Database,
  now: Date,
  leasedUntil: Date,
  limit: number,
  spared: readonly string[],
): Promise<DueDelivery[]> {
  const { rows } = await database.pool
    .query<DueRow>({
      name: "claim_due_deliveries",
      text: `with due as (
          select id from deliveries
          where due_at <= $1 and (leased_until is null or leased_until <= $1)
            and endpoint_id <> all ($4::uuid[])
          order by due_at limit $3 for update skip locked)
        update deliveries d set leased_until = $2, version = d.version + 1
        from due, webhook_endpoints e, events v
        where d.id = due.id and e.id = d.endpoint_id and v.id = d.event_id
          and (e.active or v.connection_id is null)
        returning d.id, d.tenant_id, d.environment, d.endpoint_id, d.event_id, d.event_type,
          v.connection_id, v.body, e.url, e.sealed_secret, e.sealed_previous_secret, e.previous_until,
          e.failing_since, d.tries, jsonb_array_length(d.attempts) as attempts_made, d.version`,
      values: [now, leasedUntil, limit, spared],
    })
    .catch((error: unknown) => {
      throw translateDatabaseError(error);
    });
  return rows.map(toDue);
}

export async function prolongDeliveries(
  database: Database,
  held: ReadonlyMap<string, number>,
  leasedUntil: Date,
): Promise<void> {
  await database.pool.query(
    `update deliveries d set leased_until = $3
     from unnest($1::uuid[], $2::bigint[]) as h (id, version)
     where d.id = h.id and d.version = h.version and d.leased_until is not null`,
    [[...held.keys()], [...held.values()], leasedUntil],
  );
}

export async function releaseDelivery(
  database: Database,
  delivery: Pick<DueDelivery, "id" | "version">,
  dueAt: Date,
): Promise<void> {
  await database.pool.query(
    "update deliveries set leased_until = null, due_at = $3 where id = $1 and version = $2",
    [delivery.id, delivery.version, dueAt],
  );
}

/** Adds the attempt to the log and says what is next; false when the lease was lost meanwhile. */
export async function writeAttempt(
  tx: Tx,
  delivery: Pick<DueDelivery, "id" | "version">,
  attempt: DeliveryAttempt,
  next: { readonly status: DeliveryStatus; readonly dueAt: Date | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update deliveries set attempts = attempts || ${JSON.stringify([attempt])}::jsonb,
      tries = tries + 1, status = ${next.status}, due_at = ${next.dueAt}, leased_until = null,
      version = version + 1
    where id = ${delivery.id} and version = ${delivery.version}`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

function toDue(row: DueRow): DueDelivery {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    environment: row.environment,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    connectionId: row.connection_id,
    body: row.body,
    url: row.url,
    sealedSecret: row.sealed_secret,
    sealedPreviousSecret: row.sealed_previous_secret,
    previousUntil: row.previous_until,
    failingSince: row.failing_since,
    tries: row.tries,
    attemptsMade: row.attempts_made,
    version: row.version,
  };
}
