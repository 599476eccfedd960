import { sql } from "kysely";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { Tx } from "../../engine/transaction.ts";

/** Notes that a widget token has made or resumed a connection. */
export async function insertTokenConnection(
  tx: Tx,
  tokenId: string,
  connection: Connection,
  expiresAt: Date,
): Promise<void> {
  await tx
    .insertInto("token_connections")
    .values({
      token_id: tokenId,
      connection_id: connection.id,
      tenant_id: connection.tenantId,
      environment: connection.environment,
      expires_at: expiresAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function hasTokenConnection(
  tx: Tx,
  tokenId: string,
  connectionId: string,
): Promise<boolean> {
  const row = await tx
    .selectFrom("token_connections")
    .select("token_id")
    .where("token_id", "=", tokenId)
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes rows of tokens that have expired, at most this many; answers how many. */
export async function sweepTokenConnections(tx: Tx, now: Date, atMost: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from token_connections
    where (token_id, connection_id) in (
      select token_id, connection_id from token_connections where expires_at <= ${now}
      order by expires_at limit ${atMost})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
