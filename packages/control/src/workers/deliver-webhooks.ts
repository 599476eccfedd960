import type { Runtime } from "../services/runtime.ts";
import { type DueDelivery, deliverWithin, dueDeliveries } from "../services/webhooks/due.ts";
import { createGate } from "../services/webhooks/gate.ts";
import type { WorkerSpec } from "./due.ts";

/** Sends events to the receivers that are due for them. */
export function deliverWebhooks(runtime: Runtime): WorkerSpec<DueDelivery> {
  const gate = createGate(() => runtime.clock.now().getTime());
  return {
    name: "deliver-webhooks",
    rows: dueDeliveries(runtime, gate),
    run: (delivery, signal) => deliverWithin(runtime, gate, delivery, signal),
    concurrency: 256,
    timeoutMs: 25_000,
  };
}
