import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { LeaseLoop } from "@mooring/postgres";
import type { Registry } from "prom-client";
import { createWorkerMetrics } from "../metrics/worker.ts";

export interface WorkerListener {
  readonly port: number;
  close(): Promise<void>;
}

export interface WorkerListenerOptions {
  readonly host: string;
  readonly port: number;
  /** Checks that were put off since the process started. */
  readonly checksPutOff: () => number;
  /** Questions to registries since then, by what became of them. */
  readonly rdapQuestions?: Readonly<Record<string, number>>;
}

/** A loop claims at least once a second; one that has not for this long is stuck. */
const stuckAfterMs = 15_000;

/**
 * Serves a worker's health and metrics on a private port. `/healthz` is 503 when a loop has not
 * been able to claim due rows, because the process hangs or the database is unreachable.
 */
export async function startWorkerListener(
  loops: readonly LeaseLoop[],
  { host, port, checksPutOff, rdapQuestions = {} }: WorkerListenerOptions,
): Promise<WorkerListener> {
  const registry = createWorkerMetrics(loops, checksPutOff, rdapQuestions);
  const server = createServer((request, response) => {
    if (request.url === "/healthz") sendHealth(loops, response);
    else if (request.url === "/metrics") sendMetrics(registry, response);
    else response.writeHead(404).end();
  });
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendHealth(loops: readonly LeaseLoop[], response: ServerResponse): void {
  const stuck = loops
    .filter(({ lastClaimAt }) => performance.now() - lastClaimAt() > stuckAfterMs)
    .map(({ name }) => name);
  const body = stuck.length === 0 ? { status: "ok" } : { status: "unavailable", stuck };
  response.writeHead(stuck.length === 0 ? 200 : 503, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function sendMetrics(registry: Registry, response: ServerResponse): void {
  registry.metrics().then(
    (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
    () => response.writeHead(500).end(),
  );
}
