import type { LeaseLoop } from "@mooring/postgres";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";

/** The registry of one worker process. Backlogs of all workers are in the API's metrics. */
export function createWorkerMetrics(loops: readonly LeaseLoop[]): Registry {
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
