import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { LeaseLoop } from "@mooring/postgres";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";

export interface WorkerListener {
  readonly port: number;
  close(): Promise<void>;
}

/** A loop claims at least once a second; one that has not for this long hangs or has no database. */
const stuckAfterMs = 15_000;

/**
 * Health and metrics of a worker process, on a private port. Health is 503 when one of the loops has
 * not been able to claim: the process hangs, or the database is unreachable.
 */
export async function startWorkerListener(
  loops: readonly LeaseLoop[],
  { host, port }: { readonly host: string; readonly port: number },
): Promise<WorkerListener> {
  const registry = measureLoops(loops);
  const server = createServer((request, response) => {
    if (request.url === "/healthz") answerHealth(loops, response);
    else if (request.url === "/metrics") answerMetrics(registry, response);
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

function isStuck({ lastClaimAt }: LeaseLoop): boolean {
  return performance.now() - lastClaimAt() > stuckAfterMs;
}

function answerHealth(loops: readonly LeaseLoop[], response: ServerResponse): void {
  const stuck = loops.filter(isStuck).map(({ name }) => name);
  const body = stuck.length === 0 ? { status: "ok" } : { status: "unavailable", stuck };
  response.writeHead(stuck.length === 0 ? 200 : 503, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function answerMetrics(registry: Registry, response: ServerResponse): void {
  registry.metrics().then(
    (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
    () => response.writeHead(500).end(),
  );
}

function measureLoops(loops: readonly LeaseLoop[]): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "mooring_worker_" });
  new Gauge({
    name: "mooring_worker_running",
    help: "Rows being worked on by this process",
    labelNames: ["worker"],
    registers: [registry],
    collect() {
      for (const { name, running } of loops) this.set({ worker: name }, running());
    },
  });
  new Gauge({
    name: "mooring_worker_last_claim_seconds",
    help: "How long ago this process last claimed due rows",
    labelNames: ["worker"],
    registers: [registry],
    collect() {
      for (const { name, lastClaimAt } of loops) {
        this.set({ worker: name }, (performance.now() - lastClaimAt()) / 1_000);
      }
    },
  });
  return registry;
}
