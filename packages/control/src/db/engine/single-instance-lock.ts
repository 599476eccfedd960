import { setTimeout as delay } from "node:timers/promises";
import { connectPrimary } from "@mooring/postgres";

/**
 * A lock on the whole database; it ends with the process that took it, however that process ends.
 */
export interface SingleInstanceLock {
  /** Resolves when the session that has the lock ends, by `release` or with its server. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}

const lockKey = 7_366_521_904_115;
/** The server needs a little time to notice that a killed process's session has ended. */
const waitMs = 3_000;

/** Null when another process has the lock and does not give it up while we wait. */
export async function lockSingleInstance(url: string): Promise<SingleInstanceLock | null> {
  const client = await connectPrimary(url, { application_name: "mooring_local" });
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  // The server may be restarted; the lock is then released, and nothing else is lost.
  client.on("error", () => resolve());
  client.on("end", () => resolve());
  const deadline = performance.now() + waitMs;
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(
      "select pg_try_advisory_lock($1) as locked",
      [lockKey],
    );
    if (rows[0]?.locked) return { lost, release: () => client.end() };
    if (performance.now() > deadline) break;
    await delay(50);
  }
  await client.end();
  return null;
}
