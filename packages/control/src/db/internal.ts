import { type Batch, createBatch } from "./batch.ts";
import type { Database } from "./pool.ts";
import { translateDatabaseError } from "./transaction.ts";

/** The edge's question, as one indexed look-up; questions that arrive together share a round trip. */
export function claimLookup(database: Database): Batch<string, true> {
  return createBatch({
    identify: (hostname) => hostname,
    fetch: async (hostnames) => {
      const { rows } = await database.pool
        .query<{ hostname: string }>({
          name: "claimed_hostnames",
          text: "select claimed_hostnames($1) as hostname",
          values: [hostnames],
        })
        .catch((error: unknown) => {
          throw translateDatabaseError(error);
        });
      return rows.map((row) => [row.hostname, true] as const);
    },
  });
}

/** Where the application of a held hostname is served from. */
export async function hostnameOrigin(database: Database, hostname: string): Promise<string | null> {
  const { rows } = await database.pool
    .query<{ origin: string | null }>({
      name: "hostname_origin",
      text: "select hostname_origin($1) as origin",
      values: [hostname],
    })
    .catch((error: unknown) => {
      throw translateDatabaseError(error);
    });
  return rows[0]?.origin ?? null;
}
