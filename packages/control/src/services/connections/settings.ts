import type { Connection } from "../../domain/connection.ts";
import type { LifecycleSettings } from "../../domain/lifecycle.ts";
import { isSandboxName } from "../../domain/sandbox.ts";
import type { Runtime } from "../runtime.ts";

export function lifecycleSettings(runtime: Runtime, connection: Connection): LifecycleSettings {
  const { config } = runtime;
  return {
    recheckIntervalMs: config.recheckIntervalMs,
    stallAfterMs: config.stallAfterMs,
    giveUpAfterMs: config.giveUpAfterMs,
    isSandbox: isInSandbox(connection),
    hasForeignEdge: hasForeignEdge(runtime, connection),
  };
}

/** The sandbox is served by our own edge alone: no CA knows its names. */
export function hasForeignEdge(
  { config }: Pick<Runtime, "config">,
  connection: Connection,
): boolean {
  return config.edgeKind === "external" && !isInSandbox(connection);
}

function isInSandbox({ environment, hostname }: Connection): boolean {
  return environment === "test" && isSandboxName(hostname);
}
