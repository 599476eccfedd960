import { type ParkedRow, selectParked, wakeParked } from "../../db/queries/operator/parked-rows.ts";
import type { Runtime } from "../runtime.ts";

const maxListed = 1_000;

/** The rows that no worker tries any more, because every run failed. */
export function listParked(runtime: Runtime): Promise<readonly ParkedRow[]> {
  return runtime.transaction((tx) => selectParked(tx, maxListed));
}

/** Has workers try parked rows again; returns how many there were. */
export function wakeParkedWork(runtime: Runtime, ids: readonly string[] | "all"): Promise<number> {
  return runtime.transaction((tx) => wakeParked(tx, ids, runtime.clock.now()));
}
