import type { Tx } from "../../engine/transaction.ts";
import { unmovedConnections } from "./connection-table.ts";

/** Since when which nameservers have not answered for a connection's ownership record. */
export async function selectSilentServers(
  tx: Tx,
  connectionId: string,
): Promise<ReadonlyMap<string, Date>> {
  const row = await tx
    .selectFrom(unmovedConnections)
    .select("silent_servers")
    .where("id", "=", connectionId)
    .executeTakeFirst();
  const entries = Object.entries(row?.silent_servers ?? {});
  return new Map(entries.map(([server, since]) => [server, new Date(since)]));
}
