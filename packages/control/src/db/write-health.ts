import type { Tx } from "./transaction.ts";

/** How the writes to one provider went lately. */
export interface WriteHealth {
  readonly provider: string;
  readonly writes: number;
  readonly failures: number;
  readonly lastErrorAt: Date | null;
}

const recentMs = 86_400_000;

/** Of the last 24 hours and as far as the transaction sees: a tenant's own, or everybody's. */
export async function countRecentWrites(tx: Tx, now: Date): Promise<WriteHealth[]> {
  const rows = await tx
    .selectFrom("dns_writes")
    .select((eb) => [
      "provider",
      eb.fn.countAll<number>().as("writes"),
      eb.fn.countAll<number>().filterWhere("outcome", "=", "failed").as("failures"),
      eb.fn.max("finished_at").filterWhere("outcome", "=", "failed").as("last_error_at"),
    ])
    .where("created_at", ">", new Date(now.getTime() - recentMs))
    .where("outcome", "<>", "planned")
    .groupBy("provider")
    .orderBy("provider")
    .execute();
  return rows.map((row) => ({
    provider: row.provider,
    writes: row.writes,
    failures: row.failures,
    lastErrorAt: row.last_error_at,
  }));
}
