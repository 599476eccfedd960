import type { TestApp } from "./app.ts";
import { call } from "./http.ts";
import type { RouteSample, SampleRequest } from "./route-sample.ts";
import type { World } from "./world.ts";

const records = [{ host: "www", type: "TXT", value: "sample" }];

function ofZone(world: World): SampleRequest {
  return { params: { zone: world.zone } };
}

async function writeZone(app: TestApp, world: World): Promise<World> {
  const path = `/v1/sandbox/zones/${world.zone}/records`;
  await call(app.api.url, path, { key: world.key, method: "PUT", body: { records } });
  return world;
}

export const sandboxSamples: Readonly<Record<string, RouteSample>> = {
  "GET /v1/sandbox/zones": { needs: ["connections:read"], request: () => ({}) },
  "GET /v1/sandbox/zones/{zone}/records": { needs: ["connections:read"], request: ofZone },
  "PUT /v1/sandbox/zones/{zone}/records": {
    needs: ["connections:write"],
    request: (world) => ({ ...ofZone(world), body: { records } }),
  },
  "DELETE /v1/sandbox/zones/{zone}/records": {
    needs: ["connections:write"],
    request: ofZone,
    renew: writeZone,
  },
};
