import type { LeaseLoopSpec } from "@mooring/postgres";
import type { Runtime } from "../services/runtime.ts";
import { createBreakers } from "../services/webhooks/breakers.ts";
import { attemptDelivery, type DueDelivery, dueDeliveries } from "../services/webhooks/deliver.ts";

/** Sends due deliveries to their webhook endpoints. */
export function deliverWebhooks(runtime: Runtime): LeaseLoopSpec<DueDelivery> {
  const breakers = createBreakers(() => runtime.clock.now().getTime());
  return {
    name: "deliver-webhooks",
    rows: dueDeliveries(runtime, breakers),
    run: (delivery, signal) => attemptDelivery(runtime, breakers, delivery, signal),
    concurrency: 256,
    timeoutMs: 25_000,
  };
}
