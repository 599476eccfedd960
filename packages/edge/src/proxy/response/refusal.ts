import type { Log } from "../../config/settings.ts";
import type { EdgeStats } from "../../metrics/metrics.ts";
import { newReference } from "./error-page.ts";

/** A request that the edge answers itself with an error page. */
export interface Refusal {
  readonly status: number;
  /** Names the violated rule, never the bytes sent. */
  readonly reason: string;
  /** As the handshake or the request names it; null when neither does. */
  readonly host: string | null;
  readonly remoteAddress: string;
}

/** Counts and logs a refused request; returns the reference for its page. */
export function recordRefusal(
  refusal: Refusal,
  { stats, log }: { readonly stats: EdgeStats; readonly log: Log },
): string {
  const reference = newReference();
  stats.answered.set(refusal.status, (stats.answered.get(refusal.status) ?? 0) + 1);
  log.info({ ...refusal, reference }, "request refused");
  return reference;
}
