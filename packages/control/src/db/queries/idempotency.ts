import { sql } from "kysely";
import type { TenantScope } from "../../domain/tenancy.ts";
import type { Tx } from "../engine/transaction.ts";

export interface StoredReply {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly body: string;
}

export interface IdempotentRequest {
  readonly route: string;
  /** Whose key it is: `idempotencyActor`. */
  readonly actor: string;
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** Replies live this long; older ones count as absent and are swept by a worker. */
const keepMs = 24 * 3_600_000;

/**
 * Held until the transaction ends, however it ends: a crashed process leaves no key locked. False
 * while another request with the same key runs.
 */
export async function lockIdempotencyKey(
  tx: Tx,
  scope: TenantScope,
  request: IdempotentRequest,
): Promise<boolean> {
  const name = JSON.stringify([
    scope.tenantId,
    scope.environment,
    request.route,
    request.actor,
    request.key,
  ]);
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`.execute(tx);
  return rows[0]?.locked === true;
}

export async function selectReply(
  tx: Tx,
  scope: TenantScope,
  request: IdempotentRequest,
  now: Date,
): Promise<StoredReply | null> {
  const row = await tx
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "status", "body"])
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment)
    .where("route", "=", request.route)
    .where("actor", "=", request.actor)
    .where("key", "=", request.key)
    .where("created_at", ">", new Date(now.getTime() - keepMs))
    .executeTakeFirst();
  return row ?? null;
}

/** Replaces only a reply older than a day; the lock excludes every other writer. */
export async function insertReply(
  tx: Tx,
  scope: TenantScope,
  request: IdempotentRequest,
  reply: { readonly status: number; readonly body: string },
  now: Date,
): Promise<void> {
  await tx
    .deleteFrom("idempotency_keys")
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment)
    .where("route", "=", request.route)
    .where("actor", "=", request.actor)
    .where("key", "=", request.key)
    .execute();
  await tx
    .insertInto("idempotency_keys")
    .values({
      tenant_id: scope.tenantId,
      environment: scope.environment,
      route: request.route,
      actor: request.actor,
      key: request.key,
      fingerprint: request.fingerprint,
      status: reply.status,
      body: reply.body,
      created_at: now,
    })
    .execute();
}

/** Deletes replies older than a day, a bounded number at a time; returns how many. */
export async function sweepReplies(tx: Tx, now: Date, limit = 1_000): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where ctid in (
      select ctid from idempotency_keys where created_at <= ${new Date(now.getTime() - keepMs)} limit ${limit})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}
