import type { Tx } from "../../db/engine/transaction.ts";
import { sweepDeliveries } from "../../db/queries/deliveries.ts";
import { sweepEvents } from "../../db/queries/events.ts";
import type { Runtime } from "../runtime.ts";

const keptMs = 30 * 24 * 3_600_000;
const batch = 1_000;

/** Removes the log, and the events themselves, 30 days after; what is still to be sent stays. */
export async function sweepWebhookLog(runtime: Runtime): Promise<void> {
  const before = new Date(runtime.clock.now().getTime() - keptMs);
  await untilNone(runtime, (tx) => sweepDeliveries(tx, before, batch));
  await untilNone(runtime, (tx) => sweepEvents(tx, before, batch));
}

async function untilNone(runtime: Runtime, sweep: (tx: Tx) => Promise<number>): Promise<void> {
  while ((await runtime.transaction(sweep)) === batch);
}
