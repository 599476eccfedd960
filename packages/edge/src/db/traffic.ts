import type { Queries } from "./queries.ts";

/**
 * Merges a batch of a process, the text of a JSON object. False for one that was merged before or
 * is too old.
 */
export async function reportTraffic(queries: Queries, batch: string, now: Date): Promise<boolean> {
  const { rows } = await queries.query<{ isMerged: boolean }>({
    name: "report_traffic",
    text: 'select report_traffic($1, $2) as "isMerged"',
    values: [batch, now],
  });
  return rows[0]?.isMerged ?? false;
}
