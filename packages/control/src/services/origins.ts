import { originIsListed } from "../db/queries/api-keys.ts";
import type { Runtime } from "./runtime.ts";

const keepMs = 5_000;
const maxKept = 10_000;

/**
 * Whether any application lists a browser origin; remembered for seconds, since it guards nothing.
 * While the database is away the last answer stands, so that a browser can read the 503.
 */
export function createOriginCheck(
  runtime: Pick<Runtime, "database">,
  nowMs: () => number = () => performance.now(),
): (origin: string) => Promise<boolean> {
  const known = new Map<string, { readonly listed: boolean; readonly until: number }>();
  return async (origin) => {
    const now = nowMs();
    const kept = known.get(origin);
    if (kept && kept.until > now) return kept.listed;
    const listed = await originIsListed(runtime.database, origin).catch((error: unknown) => {
      if (kept) return kept.listed;
      throw error;
    });
    if (known.size >= maxKept) known.clear();
    known.set(origin, { listed, until: now + keepMs });
    return listed;
  };
}
