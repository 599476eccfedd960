import type { Connection } from "../../domain/connection.ts";
import type { LifecycleSettings } from "../../domain/lifecycle.ts";
import { isSandboxName } from "../../domain/sandbox.ts";
import type { Runtime } from "../runtime.ts";

export function lifecycleSettings(runtime: Runtime, connection: Connection): LifecycleSettings {
  const { config } = runtime;
  return {
    recheckIntervalMs: config.RECHECK_INTERVAL,
    stallAfterMs: config.STALL_AFTER,
    giveUpAfterMs: config.GIVE_UP_AFTER,
    isSandbox: connection.environment === "test" && isSandboxName(connection.hostname),
  };
}
