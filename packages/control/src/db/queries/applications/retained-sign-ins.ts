import { type Selectable, sql } from "kysely";
import type { Environment } from "../../../domain/tenancy.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { Tables } from "../../tables.ts";

/** A credential that a customer's sign-in gave. */
export interface RetainedSignIn {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly provider: string;
  readonly sealed: string;
}

const columns = ["id", "tenant_id", "environment", "provider", "sealed"] as const;

type Row = Pick<Selectable<Tables["credentials"]>, (typeof columns)[number]>;

function toRetained({
  id,
  tenant_id: tenantId,
  environment,
  provider,
  sealed,
}: Row): RetainedSignIn {
  return { id, tenantId, environment, provider, sealed };
}

/**
 * Takes the right to refresh a token: until `until` nobody else gets it. Null when somebody else
 * has it, or when the token was refreshed meanwhile.
 */
export async function leaseRefresh(
  tx: Tx,
  id: string,
  now: Date,
  until: Date,
): Promise<RetainedSignIn | null> {
  const row = await tx
    .updateTable("credentials")
    .set({ refresh_at: until })
    .where("id", "=", id)
    .where("refresh_at", "<=", now)
    .returning(columns)
    .executeTakeFirst();
  return row === undefined ? null : toRetained(row);
}

/** The tokens that are to be refreshed now, those that wait longest first. */
export async function selectDueRefreshes(tx: Tx, now: Date, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom("credentials")
    .select("id")
    .where("refresh_at", "<=", now)
    .orderBy("refresh_at")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function storeRefreshed(
  tx: Tx,
  id: string,
  token: { readonly sealed: string; readonly refreshAt: Date | null },
): Promise<void> {
  await tx
    .updateTable("credentials")
    .set({ sealed: token.sealed, refresh_at: token.refreshAt, refused_at: null })
    .where("id", "=", id)
    .execute();
}

/** Removes the sign-ins of these connections at this provider, for a newer one. */
export async function deleteReplaced(
  tx: Tx,
  connectionIds: readonly string[],
  provider: string,
): Promise<readonly RetainedSignIn[]> {
  const rows = await tx
    .deleteFrom("credentials")
    .where(sql<boolean>`connection_ids && ${[...connectionIds]}::uuid[]`)
    .where("provider", "=", provider)
    .returning(columns)
    .execute();
  return rows.map(toRetained);
}

/** Removes the sign-ins that no open connection is left for, at most this many; returns them. */
export async function deleteEnded(
  tx: Tx,
  limit: number,
  connectionId: string | null = null,
): Promise<readonly RetainedSignIn[]> {
  const about =
    connectionId === null ? sql`true` : sql`connection_ids @> array[${connectionId}]::uuid[]`;
  const { rows } = await sql<Row>`delete from credentials where id in (
      select id from credentials
      where connection_ids is not null and ${about} and not exists (
        select from only connections
        where connections.id = any(credentials.connection_ids) and state <> 'archived')
      limit ${limit})
    returning ${sql.join(columns.map((column) => sql.ref(column)))}`.execute(tx);
  return rows.map(toRetained);
}
