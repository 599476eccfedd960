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

export interface OriginRow {
  readonly originUrl: string;
  readonly hostHeader: "preserve" | "origin";
}

/** Where the application of a held hostname is served from. */
export async function hostnameOrigin(
  database: Database,
  hostname: string,
): Promise<OriginRow | null> {
  const { rows } = await database.pool
    .query<OriginRow>({
      name: "hostname_route",
      text: `select origin_url as "originUrl", origin_host_header as "hostHeader" from hostname_route($1)`,
      values: [hostname],
    })
    .catch((error: unknown) => {
      throw translateDatabaseError(error);
    });
  return rows[0] ?? null;
}
