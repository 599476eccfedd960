import type { FastifyInstance } from "fastify";

/** Above the longest verb with its database timeouts, below the ten seconds that a stop may take. */
const graceMs = 6_000;

/**
 * Stops listening and waits for the answers under way. What is left after the grace is cut: Node
 * no longer times out half-sent requests once a server is closing.
 */
export async function closeServer(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(timer);
  }
}
