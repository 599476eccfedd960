import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { RunningWorker } from "../workers/due.ts";

export interface WorkerListener {
  readonly port: number;
  close(): Promise<void>;
}

/** A loop looks for work at least once a second; one that has not for so long is stuck or cut off. */
const silentMs = 15_000;

/**
 * Health and figures of a worker process, on a private port: 503 when one of its loops has not been
 * able to look for work, be it that the process hangs or that the database is away.
 */
export async function startWorkerListener(
  loops: readonly RunningWorker[],
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

function isSilent({ lastLook }: RunningWorker): boolean {
  return performance.now() - lastLook() > silentMs;
}

function answerHealth(loops: readonly RunningWorker[], response: ServerResponse): void {
  const silent = loops.filter(isSilent).map(({ name }) => name);
  const body = silent.length === 0 ? { status: "ok" } : { status: "unavailable", silent };
  response.writeHead(silent.length === 0 ? 200 : 503, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function answerMetrics(registry: Registry, response: ServerResponse): void {
  registry.metrics().then(
    (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
    () => response.writeHead(500).end(),
  );
}

function measureLoops(loops: readonly RunningWorker[]): Registry {
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
    name: "mooring_worker_last_look_seconds",
    help: "How long ago this process last looked for work",
    labelNames: ["worker"],
    registers: [registry],
    collect() {
      for (const { name, lastLook } of loops) {
        this.set({ worker: name }, (performance.now() - lastLook()) / 1_000);
      }
    },
  });
  return registry;
}
