import { openSessions } from "@mooring/postgres";
import type pg from "pg";

/**
 * Connections under the edge's role, which owns certificates and sees nothing else but which hosts
 * are claimed; or under that of the name server, which sees what is public.
 */
export function openPool(
  url: string,
  onError: (error: Error) => void,
  options: {
    readonly connections?: number;
    readonly role?: "mooring_edge" | "mooring_dns";
    /** `host:port` of a pooler in transaction mode in front of the server; null for none. */
    readonly pooler?: string | null;
  } = {},
): pg.Pool {
  const { connections = 8, role = "mooring_edge", pooler = null } = options;
  const settings = {
    role,
    statement_timeout: 5_000,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 10_000,
    timezone: "UTC",
  };
  const pool = openSessions(url, settings, {
    pooler,
    max: connections,
    // The pid identifies the process in pg_stat_activity and pg_locks.
    application_name: `${role} ${process.pid}`,
    connectionTimeoutMillis: 2_000,
    query_timeout: 8_000,
    keepAlive: true,
  });
  pool.on("error", onError);
  return pool;
}
