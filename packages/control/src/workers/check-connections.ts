import type { LeaseLoopSpec } from "@mooring/postgres";
import {
  checkLeased,
  checkSlots,
  type DueConnection,
  dueConnections,
} from "../services/connections/checks/check.ts";
import type { Runtime } from "../services/runtime.ts";

/** Checks connections that are due. */
export function checkConnections(runtime: Runtime): LeaseLoopSpec<DueConnection> {
  return {
    name: "check-connections",
    rows: dueConnections(runtime),
    run: async (connection, signal) => {
      const checked = await checkLeased(runtime, connection, signal);
      if (!checked)
        runtime.log.debug({ connectionId: connection.id }, "lease lost, observation discarded");
    },
    ...checkSlots,
    timeoutMs: 20_000,
  };
}
