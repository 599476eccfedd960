import type { RouteSample, SampleRequest } from "./route-sample.ts";
import { connectionOf, type World } from "./world.ts";

function ofConnection(world: World): SampleRequest {
  return { params: { id: world.connectionId } };
}

let made = 0;

const ownCredential = { provider: "sandbox", fields: { token: "sandbox" } };

export const connectionSamples: Readonly<Record<string, RouteSample>> = {
  // The hostname is connected already: the call resumes it.
  "POST /v1/connections": {
    needs: ["connections:write"],
    widget: true,
    status: 200,
    request: (world) => ({
      body: { application_id: world.applicationId, hostname: world.hostname },
    }),
  },
  "POST /v1/connections:batch": {
    needs: ["connections:write"],
    request: (world) => ({
      body: { application_id: world.applicationId, hostnames: [world.hostname] },
    }),
  },
  "GET /v1/connections": {
    needs: ["connections:read"],
    request: () => ({ query: { limit: "2", state: "pending_ownership" } }),
  },
  "GET /v1/connections/{id}": {
    needs: ["connections:read"],
    widget: true,
    request: ofConnection,
  },
  "DELETE /v1/connections/{id}": {
    needs: ["connections:write"],
    request: ofConnection,
    renew: async (app, world) => {
      made += 1;
      const hostname = `renewed-${made}.${world.hostname}`;
      const connectionId = await connectionOf(app, world.key, world.applicationId, hostname);
      return { ...world, connectionId };
    },
  },
  // Its ownership record is published nowhere.
  "POST /v1/connections/{id}/verify": {
    needs: ["connections:write"],
    status: 409,
    request: ofConnection,
  },
  "POST /v1/connections/{id}/records:check": {
    needs: ["connections:write"],
    widget: true,
    request: ofConnection,
  },
  // The customer's own credential: a stored one is not for everybody's token.
  "POST /v1/connections/{id}/records:apply": {
    needs: ["connections:write"],
    widget: true,
    request: (world) => ({ ...ofConnection(world), body: { ...ownCredential, dry_run: true } }),
  },
  "POST /v1/connections/{id}/records:revert": {
    needs: ["connections:write"],
    request: (world) => ({ ...ofConnection(world), body: { ...ownCredential, dry_run: true } }),
  },
  "POST /v1/connections/{id}/email:apply": {
    needs: ["connections:write"],
    widget: true,
    request: (world) => ({ ...ofConnection(world), body: { provider: "fastmail" } }),
  },
  // This API is not reached by https, so that no provider could send a customer back.
  "POST /v1/connections/{id}/domain-connect:start": {
    needs: ["connections:write"],
    widget: true,
    status: 409,
    request: (world) => ({ ...ofConnection(world), body: {} }),
  },
  "GET /v1/connections/{id}/diagnosis": {
    needs: ["connections:read"],
    widget: true,
    request: ofConnection,
  },
  "POST /v1/connections/{id}/share": {
    needs: ["connections:write"],
    widget: true,
    request: ofConnection,
  },
  "GET /v1/connections/{id}/events": { needs: ["connections:read"], request: ofConnection },
};
