import type { LeaseLoopSpec } from "@mooring/postgres";
import type { Connection } from "../domain/connection.ts";
import { checkLeased, dueConnections } from "../services/connections/check.ts";
import type { Runtime } from "../services/runtime.ts";

/** Looks at connections that are due and moves them on. */
export function checkConnections(runtime: Runtime): LeaseLoopSpec<Connection> {
  return {
    name: "check-connections",
    rows: dueConnections(runtime),
    run: async (connection, signal) => {
      const moved = await checkLeased(runtime, connection, signal);
      if (!moved) runtime.log.debug({ connectionId: connection.id }, "look discarded, lease lost");
    },
    concurrency: 64,
    maxConcurrency: 512,
    timeoutMs: 20_000,
  };
}
