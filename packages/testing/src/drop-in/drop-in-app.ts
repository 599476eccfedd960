import { dropIns } from "../../../drop-in/src/index.ts";
import type { Caller } from "../clients/connecting.ts";
import { type LifecycleApp, startLifecycle } from "../processes/lifecycle-app.ts";

/**
 * The product with the drop-in APIs, and tenants with the client that a vendor has made for them.
 */
export interface DropInApp<Client> {
  readonly life: LifecycleApp;
  tenant(name: string): Promise<Caller & { readonly client: Client }>;
}

/**
 * `.test` names have a validation zone, so that wildcards and delegated validation can be tried.
 */
export async function startDropInApp<Client>(
  createClient: (caller: Caller) => Client,
): Promise<DropInApp<Client>> {
  const life = await startLifecycle({ env: { VALIDATION_ZONE: "validation.test" }, dropIns });
  return {
    life,
    async tenant(name) {
      const caller = await life.caller(name);
      return { ...caller, client: createClient(caller) };
    },
  };
}
