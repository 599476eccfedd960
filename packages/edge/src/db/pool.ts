import pg from "pg";
import type { Log } from "../config/settings.ts";

/**
 * The edge's connections, under the role that owns certificates and sees nothing else but which
 * hosts are claimed.
 */
export function openPool(url: string, onError: (error: Error) => void, connections = 8): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    // The pid identifies the process in pg_stat_activity and pg_locks.
    application_name: `mooring_edge ${process.pid}`,
    connectionTimeoutMillis: 2_000,
    query_timeout: 8_000,
    keepAlive: true,
    options: [
      "-c role=mooring_edge",
      "-c statement_timeout=5000",
      "-c lock_timeout=2000",
      "-c idle_in_transaction_session_timeout=10000",
      "-c timezone=UTC",
    ].join(" "),
  });
  pool.on("error", onError);
  return pool;
}

/** FORCE proves nothing for a role that ignores row security. A database that is away says nothing. */
export async function assertConfined(pool: pg.Pool, log: Log): Promise<void> {
  const found = await pool
    .query<{ free: boolean }>(
      "select rolsuper or rolbypassrls as free from pg_roles where rolname = current_user",
    )
    .catch((error: unknown) => {
      log.warn({ err: error }, "the database role could not be checked");
      return null;
    });
  if (found && found.rows[0]?.free !== false) {
    throw new Error("the database role in effect is not bound by row security; refusing to start");
  }
}
