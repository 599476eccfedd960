import type { ProviderAdapter } from "@mooring/dns";
import type { Connection } from "../../domain/connection.ts";
import type { Runtime } from "../runtime.ts";
import { createOwnZones } from "./own-zones.ts";
import { createSandboxProvider } from "./provider.ts";

/** The sandbox's adapter when the slug is its own; it exists in the test environment only. */
export function sandboxAdapter(
  runtime: Runtime,
  connection: Connection,
  slug: string,
): ProviderAdapter | null {
  if (connection.environment !== "test") return null;
  const adapter = createSandboxProvider({
    zones: createOwnZones(runtime, connection.tenantId),
    clock: runtime.clock,
    names: [connection.hostname],
  });
  return adapter.manifest.slug === slug ? adapter : null;
}
