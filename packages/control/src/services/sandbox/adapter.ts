import type { ProviderAdapter } from "@mooring/dns";
import type { TenantScope } from "../../domain/tenancy.ts";
import type { Runtime } from "../runtime.ts";
import { createOwnZones } from "./own-zones.ts";
import { createSandboxProvider } from "./provider.ts";

/** The sandbox's adapter when the slug is its own; it exists in the test environment only. */
export function sandboxAdapter(
  runtime: Runtime,
  owner: TenantScope & { readonly names: readonly string[] },
  slug: string,
): ProviderAdapter | null {
  if (owner.environment !== "test") return null;
  const adapter = createSandboxProvider({
    zones: createOwnZones(runtime, owner.tenantId),
    clock: runtime.clock,
    names: owner.names,
  });
  return adapter.manifest.slug === slug ? adapter : null;
}
