import type { LeaseLoop } from "@mooring/postgres";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";

/** The registry of one worker process. Backlogs of all workers are in the API's metrics. */
export function createWorkerMetrics(
  loops: readonly LeaseLoop[],
  checksPutOff: () => number,
  rdapQuestions: Readonly<Record<string, number>>,
): Registry {
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
  new Counter({
    name: "mooring_worker_checks_put_off_total",
    help: "Checks made later because many of the same tenant waited for a name server",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(checksPutOff());
    },
  });
  new Counter({
    name: "mooring_worker_rdap_questions_total",
    help: "Questions to registries by what became of them; waited: put later, to keep the limit",
    labelNames: ["outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(rdapQuestions)) this.inc({ outcome }, count);
    },
  });
  return registry;
}
