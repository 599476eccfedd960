import type { LeaseLoopSpec } from "@mooring/postgres";
import type { SendingDomain } from "../domain/sending/sending.ts";
import type { Runtime } from "../services/runtime.ts";
import { checkLeasedSending, dueSending } from "../services/sending/check.ts";

/** Checks sending domains that are due. */
export function checkSendingDomains(runtime: Runtime): LeaseLoopSpec<SendingDomain> {
  return {
    name: "check-sending",
    rows: dueSending(runtime),
    run: async (sending, signal) => {
      const isStored = await checkLeasedSending(runtime, sending, signal);
      if (!isStored)
        runtime.log.debug({ sendingDomainId: sending.id }, "lease lost, observation discarded");
    },
    concurrency: 16,
    maxConcurrency: 64,
    timeoutMs: 30_000,
  };
}
