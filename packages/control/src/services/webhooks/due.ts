import {
  claimDueDeliveries,
  type DueDelivery,
  prolongDeliveries,
  releaseDelivery,
} from "../../db/due-deliveries.ts";
import type { Runtime } from "../runtime.ts";
import type { DueRows } from "../work/due-rows.ts";
import { deliver } from "./deliver.ts";
import type { DeliveryGate } from "./gate.ts";

export type { DueDelivery } from "../../db/due-deliveries.ts";

const againMs = 250;

/** Deliveries to be attempted, as many as the gate has room for. */
export function dueDeliveries(runtime: Runtime, gate: DeliveryGate): DueRows<DueDelivery> {
  const { database } = runtime;
  return {
    table: "deliveries",
    idOf: (delivery) => delivery.id,
    versionOf: (delivery) => delivery.version,
    claim: (now, until, limit) => claimDueDeliveries(database, now, until, limit, gate.room()),
    prolong: (held, until) => prolongDeliveries(database, held, until),
    release: (delivery, dueAt) => releaseDelivery(database, delivery, dueAt),
  };
}

/** Attempts a delivery if its receiver has room, and otherwise gives it back for a moment. */
export async function deliverWithin(
  runtime: Runtime,
  gate: DeliveryGate,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { endpointId, tenantId } = delivery;
  if (!gate.hasRoom(endpointId, tenantId)) {
    const again = new Date(runtime.clock.now().getTime() + againMs);
    await releaseDelivery(runtime.database, delivery, again);
    return;
  }
  gate.enter(endpointId, tenantId);
  let hasSucceeded = false;
  try {
    hasSucceeded = await deliver(runtime, delivery, signal);
  } finally {
    gate.leave(endpointId, tenantId, hasSucceeded);
  }
}
