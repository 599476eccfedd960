import { randomUUID } from "node:crypto";
import type { TestApp } from "../app.ts";
import { call, textOf } from "../http.ts";
import type { World } from "../world.ts";
import type { RouteSample } from "./route-sample.ts";

function customerFor({ hostname }: World): string {
  return `customer of ${hostname}`;
}

/** Gives the customer a domain, once. */
async function connectCustomer(app: TestApp, world: World): Promise<World> {
  const { applicationId: application_id, key, hostname } = world;
  const body = { application_id, hostname: `own.${hostname}`, customer_ref: customerFor(world) };
  await call(app.api.url, "/v1/connections", { key, body });
  return world;
}

export const statusSamples: Readonly<Record<string, RouteSample>> = {
  "POST /v1/status-links": {
    needs: ["connections:write"],
    request: (world) => ({
      body: { customer_ref: customerFor(world), application_id: world.applicationId },
    }),
    renew: connectCustomer,
  },
  "GET /v1/status-links": {
    needs: ["connections:read"],
    request: (world) => ({ query: { customer_ref: customerFor(world) } }),
  },
  "DELETE /v1/status-links/{id}": {
    needs: ["connections:write"],
    request: (world) => ({ params: { id: world.statusLinkId ?? randomUUID() } }),
    renew: async (app, world) => {
      const { key } = await connectCustomer(app, world);
      const body = { customer_ref: customerFor(world) };
      const made = await call(app.api.url, "/v1/status-links", { key, body });
      return { ...world, statusLinkId: textOf(made, "id") };
    },
  },
};
