import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { RunningWorker } from "../workers/due.ts";

/** The registry of one worker process. Backlogs of all workers are in the API's metrics. */
export function createWorkerMetrics(loops: readonly RunningWorker[]): Registry {
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
    name: "mooring_worker_last_check_seconds",
    help: "How long ago this process last checked for due work",
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
