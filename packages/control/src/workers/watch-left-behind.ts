import type { LeaseLoopSpec } from "@mooring/postgres";
import {
  checkLeftBehind,
  type DueLeftBehind,
  dueLeftBehind,
} from "../services/connections/left-behind/watch.ts";
import type { Runtime } from "../services/runtime.ts";

/** Looks up the names of archived connections. Few at once: nobody waits for it. */
export function watchLeftBehind(runtime: Runtime): LeaseLoopSpec<DueLeftBehind> {
  return {
    name: "watch-left-behind",
    rows: dueLeftBehind(runtime),
    run: async (row, signal) => {
      const isStored = await checkLeftBehind(runtime, row, signal);
      if (!isStored)
        runtime.log.debug({ connectionId: row.connectionId }, "lease lost, lookup discarded");
    },
    concurrency: 4,
    maxConcurrency: 16,
    timeoutMs: 20_000,
  };
}
