import pg from "pg";

/**
 * Connections under the edge's role, which owns certificates and sees nothing else but which hosts are
 * claimed; or under that of the name server, which sees what is public.
 */
export function openPool(
  url: string,
  onError: (error: Error) => void,
  connections = 8,
  role: "mooring_edge" | "mooring_dns" = "mooring_edge",
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    // The pid identifies the process in pg_stat_activity and pg_locks.
    application_name: `${role} ${process.pid}`,
    connectionTimeoutMillis: 2_000,
    query_timeout: 8_000,
    keepAlive: true,
    options: [
      `-c role=${role}`,
      "-c statement_timeout=5000",
      "-c lock_timeout=2000",
      "-c idle_in_transaction_session_timeout=10000",
      "-c timezone=UTC",
    ].join(" "),
  });
  pool.on("error", onError);
  return pool;
}
