import {
  createOperatorKey,
  listTenants,
  type NewTenant,
  type OpenedRuntime,
} from "@mooring/control";
import { readState, writeState } from "./state.ts";

/**
 * Makes sure that the demo has a key of its own in the test environment. It belongs to the first
 * tenant, so that the keys that a first start prints see what the demo does.
 */
export async function prepareDemo(
  runtime: OpenedRuntime["runtime"],
  first: NewTenant | null,
  stateFile: string,
): Promise<void> {
  const tenants = await listTenants(runtime);
  const state = await readState(stateFile);
  // A state that another database was written with is of no use here.
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
