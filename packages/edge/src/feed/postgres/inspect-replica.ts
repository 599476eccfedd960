import { setTimeout as delay } from "node:timers/promises";
import { openPool } from "../../db/pool.ts";
import { primaryPosition, replicaPosition } from "../../db/positions.ts";

/** The replica as an operator sees it. */
export type InspectedReplica =
  | { readonly outcome: "unreachable"; readonly reason: string }
  /** It takes writes: it is no replica, or was promoted. */
  | { readonly outcome: "primary" }
  /** `lagMs` is null when nothing shows how far it is behind. */
  | { readonly outcome: "standby"; readonly lagMs: number | null };

/** So long it is waited for the replica to get where the primary was at the beginning. */
const waitMs = 2_000;
const pollMs = 50;

/** Compares the two servers; changes nothing. */
export async function inspectReplica(
  primaryUrl: string,
  replicaUrl: string,
): Promise<InspectedReplica> {
  const options = { connections: 1 };
  const ignore = (): void => undefined; // the statement that fails reports it
  const primary = openPool(primaryUrl, ignore, options);
  const replica = openPool(replicaUrl, ignore, options);
  try {
    const position = await primaryPosition(primary);
    const startedAt = performance.now();
    for (;;) {
      const seen = await replicaPosition(replica);
      const elapsedMs = performance.now() - startedAt;
      if (!seen.isStandby) return { outcome: "primary" };
      if (seen.position >= position) return { outcome: "standby", lagMs: elapsedMs };
      if (elapsedMs >= waitMs) return { outcome: "standby", lagMs: seen.replayedMsAgo };
      await delay(pollMs);
    }
  } catch (error) {
    return { outcome: "unreachable", reason: error instanceof Error ? error.message : "no answer" };
  } finally {
    await Promise.all([primary.end(), replica.end()]);
  }
}
