import type { LeaseLoopSpec } from "@mooring/postgres";
import type { Runtime } from "../services/runtime.ts";
import { createClaimNames } from "../services/transparency/claim-names.ts";
import { dueLogs } from "../services/transparency/due-logs.ts";
import { type LeasedLog, readLeasedLog } from "../services/transparency/read-log.ts";

/** Reads certificate transparency logs that are due, one worker each. */
export function readTransparencyLogs(runtime: Runtime): LeaseLoopSpec<LeasedLog> {
  const claims = createClaimNames(runtime);
  const logs = new Map(runtime.config.ctLogs.map((log) => [log.id, log]));
  return {
    name: "read-transparency-logs",
    rows: dueLogs(runtime),
    run: async (leased, signal) => {
      const log = logs.get(leased.id);
      if (log !== undefined) await readLeasedLog({ runtime, claims }, log, leased, signal);
    },
    concurrency: 2,
    maxConcurrency: 8,
    timeoutMs: 90_000,
  };
}
