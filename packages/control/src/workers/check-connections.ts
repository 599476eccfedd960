import type { LeaseLoopSpec } from "@mooring/postgres";
import {
  checkLeased,
  checkSlots,
  type DueConnection,
  dueConnections,
  putOffCheck,
} from "../services/connections/checks/check.ts";
import { PutOff } from "../services/connections/checks/tenant-share.ts";
import type { Runtime } from "../services/runtime.ts";

/** Checks connections that are due. `onPutOff` is called for each check that is made later. */
export function checkConnections(
  runtime: Runtime,
  onPutOff: () => void,
): LeaseLoopSpec<DueConnection> {
  const putOff = new Set<DueConnection>();
  return {
    name: "check-connections",
    rows: dueConnections(runtime, () => [...putOff]),
    run: async (connection, signal) => {
      try {
        const checked = await checkLeased(runtime, connection, signal);
        if (!checked)
          runtime.log.debug({ connectionId: connection.id }, "lease lost, observation discarded");
      } catch (error) {
        if (!(error instanceof PutOff)) throw error;
        onPutOff();
        putOff.add(connection);
        setTimeout(() => putOff.delete(connection), 1_000).unref();
        await putOffCheck(runtime, connection, error);
      }
    },
    ...checkSlots,
    timeoutMs: 20_000,
  };
}
