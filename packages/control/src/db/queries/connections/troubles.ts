import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import { jsonArrayFrom, jsonObjectFrom } from "kysely/helpers/postgres";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { Renewal, Trouble, TroubleFacts } from "../../../domain/connections/trouble.ts";
import { type RowOrJson, readTime, readTimeOrNull } from "../../engine/times.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { Tables } from "../../tables.ts";

type Builder = Pick<ExpressionBuilder<Tables, never>, "selectFrom">;
type Named = Pick<Connection, "id" | "hostname">;

const troubleColumns = [
  "kind",
  "reason",
  "opened_at",
  "clear_since",
  "closed_at",
  "episodes",
] as const;

const queryTroubles = (builder: Builder, { id }: Pick<Named, "id">) =>
  builder.selectFrom("troubles").select(troubleColumns).where("connection_id", "=", id);

const renewalColumns = [
  "not_before",
  "not_after",
  "failures",
  "error_code",
  "renewal_info",
  "due_at",
  "source",
] as const;

const queryRenewal = (builder: Builder, { id, hostname }: Named) =>
  builder
    .selectFrom("certificates")
    .select(renewalColumns)
    .where("hostname", "=", hostname)
    .where("connection_id", "=", id);

const queryOrigin = (builder: Builder, { id }: Named) =>
  builder
    .selectFrom("origin_health")
    .select((eb) => eb.fn<number>("cardinality", ["failures"]).as("failures"))
    .select(["failing_since", "last_failure_at", "success_since"])
    .where("connection_id", "=", id);

/** The kinds of trouble that a connection has or had. */
export async function selectTroubles(tx: Tx, connectionId: string): Promise<Trouble[]> {
  return (await queryTroubles(tx, { id: connectionId }).execute()).map(toTrouble);
}

/**
 * The caller holds the hostname's lock, under which alone the rows are written. Every check reads
 * them at once.
 */
export async function selectTroubleFacts(tx: Tx, connection: Named): Promise<TroubleFacts> {
  const { troubles, renewal, origin } = await tx
    .selectNoFrom((eb) => [
      jsonArrayFrom(queryTroubles(eb, connection)).as("troubles"),
      jsonObjectFrom(queryRenewal(eb, connection)).as("renewal"),
      jsonObjectFrom(queryOrigin(eb, connection)).as("origin"),
    ])
    .executeTakeFirstOrThrow();
  return {
    troubles: troubles.map(toTrouble),
    renewal: renewal && toRenewal(renewal),
    // Of a wildcard the check knows it.
    validation: null,
    origin: origin && {
      failures: origin.failures,
      failingSince: readTimeOrNull(origin.failing_since),
      lastFailureAt: readTimeOrNull(origin.last_failure_at),
      successSince: readTimeOrNull(origin.success_since),
    },
  };
}

/** Null while the connection has no certificate. */
export async function selectRenewal(tx: Tx, connection: Named): Promise<Renewal | null> {
  const row = await queryRenewal(tx, connection).executeTakeFirst();
  return row ? toRenewal(row) : null;
}

type TroubleRow = RowOrJson<Pick<Selectable<Tables["troubles"]>, (typeof troubleColumns)[number]>>;

function toTrouble(row: TroubleRow): Trouble {
  return {
    kind: row.kind,
    reason: row.reason,
    openedAt: readTime(row.opened_at),
    clearSince: readTimeOrNull(row.clear_since),
    closedAt: readTimeOrNull(row.closed_at),
    episodes: row.episodes,
  };
}

type RenewalRow = RowOrJson<
  Pick<Selectable<Tables["certificates"]>, (typeof renewalColumns)[number]>
>;

function toRenewal(row: RenewalRow): Renewal {
  return {
    notBefore: readTimeOrNull(row.not_before),
    notAfter: readTimeOrNull(row.not_after),
    isFailing: row.failures > 0 || row.error_code === "ca_unavailable",
    isUnreplaced: row.error_code !== null,
    isWithdrawn: row.renewal_info?.withdrawn === true,
    nextAttemptAt: readTimeOrNull(row.due_at),
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

/** With the connection its trouble ends; nothing is reported. */
export async function deleteTroubles(tx: Tx, connectionId: string): Promise<void> {
  await tx.deleteFrom("troubles").where("connection_id", "=", connectionId).execute();
}

/**
 * Forgets origins that have not failed since `before` and are not reported; answers how many went.
 */
export async function sweepOriginHealth(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from origin_health where connection_id in (
    select o.connection_id from origin_health o where o.last_failure_at < ${before}
      and not exists (select 1 from troubles t where t.connection_id = o.connection_id
        and t.kind = 'origin_unreachable' and t.closed_at is null)
    limit ${limit})`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
