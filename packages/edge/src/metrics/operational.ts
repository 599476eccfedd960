import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * down: no process serves. degraded: some of the processes do not. draining: it is going to stop.
 */
export interface Health {
  readonly status: "ok" | "degraded" | "down" | "draining";
  readonly workers: number;
  readonly serving: number;
}

/** What an edge reports about itself, whether it is one process or several. */
export interface Operation {
  health(): Health;
  /** In the Prometheus text format. */
  metricsText(): Promise<string>;
}

export interface RunningOperational {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves health and metrics on a private port. */
export async function startOperational(
  at: { readonly host: string; readonly port: number },
  operation: Operation,
): Promise<RunningOperational> {
  const server = createServer((request, response) => {
    if (request.url === "/healthz") answerHealth(response, operation.health());
    else if (request.url === "/metrics") void answerMetrics(response, operation);
    else {
      response.statusCode = 404;
      response.end();
    }
  });
  server.listen(at.port, at.host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function answerHealth(response: ServerResponse, health: Health): void {
  const isReady = health.status === "ok" || health.status === "degraded";
  response.statusCode = isReady ? 200 : 503;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(health));
}

async function answerMetrics(response: ServerResponse, operation: Operation): Promise<void> {
  try {
    const text = await operation.metricsText();
    response.setHeader("content-type", "text/plain; version=0.0.4");
    response.end(text);
  } catch {
    response.statusCode = 500;
    response.end();
  }
}
