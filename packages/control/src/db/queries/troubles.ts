import { sql } from "kysely";
import type { Connection } from "../../domain/connection.ts";
import type { Renewal, Trouble, TroubleFacts } from "../../domain/trouble.ts";
import type { Tx } from "../engine/transaction.ts";

const columns = ["kind", "reason", "opened_at", "clear_since", "closed_at", "episodes"] as const;

/** The kinds of trouble that a connection has or had. */
export async function selectTroubles(tx: Tx, connectionId: string): Promise<Trouble[]> {
  const rows = await tx
    .selectFrom("troubles")
    .select(columns)
    .where("connection_id", "=", connectionId)
    .execute();
  return rows.map((row) => ({
    kind: row.kind,
    reason: row.reason,
    openedAt: row.opened_at,
    clearSince: row.clear_since,
    closedAt: row.closed_at,
    episodes: row.episodes,
  }));
}

/** The caller holds the hostname's lock, under which alone the rows are written. */
export async function selectTroubleFacts(
  tx: Tx,
  connection: Pick<Connection, "id" | "hostname">,
): Promise<TroubleFacts> {
  const origin = await tx
    .selectFrom("origin_health")
    .select((eb) => [
      eb.fn<number>("cardinality", ["failures"]).as("failures"),
      "failing_since",
      "last_failure_at",
      "success_since",
    ])
    .where("connection_id", "=", connection.id)
    .executeTakeFirst();
  return {
    troubles: await selectTroubles(tx, connection.id),
    renewal: await selectRenewal(tx, connection),
    // Of a wildcard the check knows it.
    validation: null,
    origin: origin
      ? {
          failures: origin.failures,
          failingSince: origin.failing_since,
          lastFailureAt: origin.last_failure_at,
          successSince: origin.success_since,
        }
      : null,
  };
}

/** Null while the connection has no certificate. */
export async function selectRenewal(
  tx: Tx,
  connection: Pick<Connection, "id" | "hostname">,
): Promise<Renewal | null> {
  const row = await tx
    .selectFrom("certificates")
    .select([
      "not_before",
      "not_after",
      "failures",
      "error_code",
      "renewal_info",
      "due_at",
      "source",
    ])
    .where("hostname", "=", connection.hostname)
    .where("connection_id", "=", connection.id)
    .executeTakeFirst();
  if (!row) return null;
  return {
    notBefore: row.not_before,
    notAfter: row.not_after,
    isFailing: row.failures > 0 || row.error_code === "ca_unavailable",
    isUnreplaced: row.error_code !== null,
    isWithdrawn: row.renewal_info?.withdrawn === true,
    nextAttemptAt: row.due_at,
    isOwn: row.source === "own",
  };
}

/** Begins, changes or ends episodes, in the transaction of their events. */
export async function saveTroubles(
  tx: Tx,
  connection: Connection,
  troubles: readonly Trouble[],
): Promise<void> {
  if (troubles.length === 0) return;
  await tx
    .insertInto("troubles")
    .values(
      troubles.map((trouble) => ({
        connection_id: connection.id,
        kind: trouble.kind,
        tenant_id: connection.tenantId,
        environment: connection.environment,
        reason: trouble.reason,
        opened_at: trouble.openedAt,
        clear_since: trouble.clearSince,
        closed_at: trouble.closedAt,
        episodes: trouble.episodes,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["connection_id", "kind"]).doUpdateSet((eb) => ({
        reason: eb.ref("excluded.reason"),
        opened_at: eb.ref("excluded.opened_at"),
        clear_since: eb.ref("excluded.clear_since"),
        closed_at: eb.ref("excluded.closed_at"),
        episodes: eb.ref("excluded.episodes"),
      })),
    )
    .execute();
}

/** With the connection its trouble is over; nothing is reported. */
export async function deleteTroubles(tx: Tx, connectionId: string): Promise<void> {
  await tx.deleteFrom("troubles").where("connection_id", "=", connectionId).execute();
}

/** Forgets origins that have not failed since `before` and are not reported; answers how many went. */
export async function sweepOriginHealth(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from origin_health where connection_id in (
    select o.connection_id from origin_health o where o.last_failure_at < ${before}
      and not exists (select 1 from troubles t where t.connection_id = o.connection_id
        and t.kind = 'origin_unreachable' and t.closed_at is null)
    limit ${limit})`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
