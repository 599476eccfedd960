import type { FastifyInstance } from "fastify";

/** Above the longest verb with its database timeouts, below the ten seconds that a stop may take. */
const graceMs = 6_000;

const sweepEveryMs = 50;

/**
 * Stops listening and waits for the answers under way. A kept-alive connection is let go when its
 * answer is out, and what is left after the grace is cut: once a server is closing, Node times out
 * neither idle connections nor half-sent requests.
 */
export async function closeServer(app: FastifyInstance): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), sweepEveryMs);
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
}
