import {
  createOperatorKey,
  type FirstTenant,
  listTenants,
  type OpenedRuntime,
} from "@mooring/control";
import { readState, writeState } from "./state.ts";

/**
 * Creates the demo's API key in the test environment unless it exists. The key belongs to the first
 * tenant, so the keys that a first start prints see the demo's connections.
 */
export async function prepareDemo(
  runtime: OpenedRuntime["runtime"],
  first: FirstTenant | null,
  stateFile: string,
): Promise<void> {
  const tenants = await listTenants(runtime);
  const state = await readState(stateFile);
  // A state file of another database has a tenant that does not exist here.
  if (state !== null && tenants.some(({ id }) => id === state.tenantId)) return;
  const owner = first?.tenant ?? tenants.find(({ name }) => name === "Default") ?? tenants[0];
  if (owner === undefined) throw new Error("there is no tenant to make a demo for");
  const { secret } = await createOperatorKey(runtime, {
    tenant: owner.id,
    environment: "test",
    application: "Default",
    name: "Demo site",
    scopes: ["connections:read", "connections:write", "apps:admin"],
  });
  await writeState(stateFile, {
    tenantId: owner.id,
    key: secret,
    applicationId: null,
    endpointId: null,
    signingSecret: null,
    port: null,
  });
}
