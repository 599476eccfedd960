import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { sqlState } from "./sql-state.ts";

/** Longer than a server needs to recover from a crash and a busy machine to schedule it. */
const defaultWithinMs = 30_000;
const pauseMs = 100;

/**
 * Opens the pool's first connection. A request must not wait for a slow server, so the pool gives
 * up after a second; a start may wait, and tries again. A server that refuses is an error at once.
 */
export async function firstConnection(
  pool: Pick<pg.Pool, "connect">,
  withinMs = defaultWithinMs,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      (await pool.connect()).release();
      return;
    } catch (error) {
      if (!isSlow(error) || performance.now() > deadline) throw error;
    }
    await delay(pauseMs);
  }
}

/** The pool's own time-outs, and SQLSTATE cannot_connect_now: the server is starting. */
function isSlow(error: unknown): boolean {
  const message = error instanceof Error ? error.message : "";
  return sqlState(error) === "57P03" || /connection timeout|timeout exceeded/.test(message);
}
