import type { DueRows } from "@mooring/postgres";
import {
  claimDueDeliveries,
  type DueDelivery,
  extendDeliveries,
  releaseDelivery,
} from "../../db/queries/due-deliveries.ts";
import type { Runtime } from "../runtime.ts";
import type { Breakers } from "./breakers.ts";
import { deliver } from "./deliver.ts";

export type { DueDelivery } from "../../db/queries/due-deliveries.ts";

const limits = { perEndpoint: 8, perTenant: 64 };

/** Deliveries to be attempted, as many as their receivers have room for. */
export function dueDeliveries(runtime: Runtime, breakers: Breakers): DueRows<DueDelivery> {
  const { database } = runtime;
  return {
    table: "deliveries",
    idOf: (delivery) => delivery.id,
    versionOf: (delivery) => delivery.version,
    claim: (now, until, limit) =>
      claimDueDeliveries(database, now, until, limit, { ...limits, spared: breakers.spared() }),
    extend: (leased, until) => extendDeliveries(database, leased, until),
    release: (delivery, dueAt) => releaseDelivery(database, delivery, dueAt),
  };
}

/** Attempts a delivery, and has its receiver's breaker know how it went. */
export async function deliverWatched(
  runtime: Runtime,
  breakers: Breakers,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { endpointId } = delivery;
  breakers.enter(endpointId);
  let hasSucceeded = false;
  try {
    hasSucceeded = await deliver(runtime, delivery, signal);
  } finally {
    breakers.leave(endpointId, hasSucceeded);
  }
}
