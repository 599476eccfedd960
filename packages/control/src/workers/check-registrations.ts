import type { LeaseLoopSpec } from "@mooring/postgres";
import {
  checkLeasedRegistration,
  type DueRegistration,
  dueRegistrations,
  type RegistrationChecks,
} from "../services/registrations/check.ts";
import type { Runtime } from "../services/runtime.ts";

/** Asks registries about domains, and tells connections whose registration ends. */
export function checkRegistrations(
  runtime: Runtime,
  checks: RegistrationChecks,
): LeaseLoopSpec<DueRegistration> {
  return {
    name: "check-registrations",
    rows: dueRegistrations(runtime),
    run: async (row, signal) => {
      const isStored = await checkLeasedRegistration(runtime, checks, row, signal);
      if (!isStored) runtime.log.debug({ domain: row.domain }, "lease lost, answer discarded");
    },
    concurrency: 8,
    maxConcurrency: 32,
    timeoutMs: 30_000,
  };
}
