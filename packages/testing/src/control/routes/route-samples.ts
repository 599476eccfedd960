import type { Route } from "../../../../control/src/api/http/route.ts";
import { routes } from "../../../../control/src/api/routes.ts";
import type { Scope } from "../../../../control/src/domain/tenancy.ts";
import type { TestApp } from "../app.ts";
import { call, textOf } from "../http.ts";
import { createConnection, createEndpoint, type World } from "../world.ts";
import { operatorSamples, peopleSamples } from "./people-samples.ts";
import type { RouteSample, SampleRequest } from "./route-sample.ts";
import { statusSamples } from "./status-samples.ts";

function ofConnection(world: World): SampleRequest {
  return { params: { id: world.connectionId } };
}

let renewed = 0;

const ownCredential = { provider: "sandbox", fields: { token: "sandbox" } };

const sampleSending = {
  provider: "sendgrid",
  inputs: { account_host: "u1.wl1.sendgrid.net", return_path: "em1" },
};

const connectionSamples: Readonly<Record<string, RouteSample>> = {
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
  // The hostname is the www of its zone, and both are connected already: the call resumes them.
  "POST /v1/connections:pair": {
    needs: ["connections:write"],
    widget: true,
    status: 200,
    request: (world) => ({
      body: { application_id: world.applicationId, hostname: world.hostname },
    }),
    renew: async (app, world) => {
      const body = { application_id: world.applicationId, hostname: world.hostname };
      await call(app.api.url, "/v1/connections:pair", { key: world.key, body });
      return world;
    },
  },
  "GET /v1/connections": {
    needs: ["connections:read"],
    widget: "customer",
    request: () => ({ query: { limit: "2", state: "pending_ownership" } }),
  },
  "GET /v1/customers": { needs: ["connections:read"], request: () => ({}) },
  ...statusSamples,
  "GET /v1/connections:summary": { needs: ["connections:read"], request: () => ({}) },
  // No certificate was ordered yet.
  "POST /v1/connections/{id}/certificate:retry": {
    needs: ["connections:write"],
    status: 409,
    request: ofConnection,
  },
  "GET /v1/connections/{id}": {
    needs: ["connections:read"],
    widget: true,
    request: ofConnection,
  },
  // Another origin each time: the same again would change nothing.
  "PATCH /v1/connections/{id}": {
    needs: ["connections:write"],
    request: (world) => {
      renewed += 1;
      const body = {
        origin_url: `https://origin-${renewed}.example`,
        origin_host_header: "origin",
      };
      return { ...ofConnection(world), body };
    },
  },
  "DELETE /v1/connections/{id}": {
    needs: ["connections:write"],
    widget: "customer",
    request: ofConnection,
    renew: async (app, world) => {
      renewed += 1;
      const hostname = `renewed-${renewed}.${world.hostname}`;
      const connectionId = await createConnection(app, world.key, world.applicationId, hostname);
      return { ...world, connectionId };
    },
  },
  // Its ownership record is not in DNS.
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
  // With the customer's credential: a widget token may not use a stored one.
  "POST /v1/connections/{id}/records:apply": {
    needs: ["connections:write"],
    widget: true,
    request: (world) => ({ ...ofConnection(world), body: { ...ownCredential, dry_run: true } }),
  },
  "POST /v1/connections/{id}/records:revert": {
    needs: ["connections:write"],
    request: (world) => ({ ...ofConnection(world), body: { ...ownCredential, dry_run: true } }),
  },
  // It was not in use when it was connected.
  "POST /v1/connections/{id}/cutover": {
    needs: ["connections:write"],
    widget: true,
    status: 409,
    request: (world) => ({ ...ofConnection(world), body: { ...ownCredential, dry_run: true } }),
  },
  "POST /v1/connections/{id}/cutover:revert": {
    needs: ["connections:write"],
    status: 409,
    request: (world) => ({ ...ofConnection(world), body: { ...ownCredential, dry_run: true } }),
  },
  "POST /v1/connections/{id}/email:apply": {
    needs: ["connections:write"],
    widget: true,
    request: (world) => ({ ...ofConnection(world), body: { provider: "fastmail" } }),
  },
  "POST /v1/connections/{id}/sending:apply": {
    needs: ["connections:write"],
    widget: true,
    request: (world) => ({ ...ofConnection(world), body: sampleSending }),
  },
  "GET /v1/connections/{id}/sending": {
    needs: ["connections:read"],
    widget: true,
    request: ofConnection,
  },
  "POST /v1/connections/{id}/sending:check": {
    needs: ["connections:write"],
    widget: true,
    request: ofConnection,
  },
  "DELETE /v1/connections/{id}/sending/{provider}": {
    needs: ["connections:write"],
    status: 204,
    request: (world) => ({ params: { id: world.connectionId, provider: "sendgrid" } }),
    renew: async (app, world) => {
      const path = `/v1/connections/${world.connectionId}/sending:apply`;
      await call(app.api.url, path, { key: world.key, body: sampleSending });
      return world;
    },
  },
  // This API has no https address, so no provider could redirect a customer back to it.
  "POST /v1/connections/{id}/domain-connect:start": {
    needs: ["connections:write"],
    widget: true,
    status: 409,
    request: (world) => ({ ...ofConnection(world), body: {} }),
  },
  "POST /v1/connections/{id}/oauth:start": {
    needs: ["connections:write"],
    widget: true,
    status: 409,
    request: (world) => ofConnection(world),
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
  // Its ownership is not proven.
  "PUT /v1/connections/{id}/certificate": {
    needs: ["connections:write"],
    status: 409,
    request: (world) => ({
      ...ofConnection(world),
      body: { certificate: "a certificate", private_key: "a key" },
    }),
  },
  "DELETE /v1/connections/{id}/certificate": {
    needs: ["connections:write"],
    status: 409,
    request: ofConnection,
  },
  "GET /v1/connections/{id}/events": { needs: ["connections:read"], request: ofConnection },
};

const needs: readonly Scope[] = ["apps:admin", "webhooks:write"];

function ofEndpoint(world: World): SampleRequest {
  return { params: { id: world.endpointId } };
}

const webhookSamples: Readonly<Record<string, RouteSample>> = {
  "GET /v1/events": {
    needs: ["connections:read", "webhooks:write"],
    absentStatus: 200,
    request: (world) => ({ query: { application_id: world.applicationId } }),
  },
  "GET /v1/events:stream": {
    needs: ["connections:read", "webhooks:write"],
    absentStatus: 200,
    request: (world) => ({ query: { application_id: world.applicationId } }),
  },
  "GET /v1/deliveries": {
    needs,
    absentStatus: 200,
    request: (world) => ({ query: { endpoint_id: world.endpointId } }),
  },
  "GET /v1/deliveries/{id}": { needs, request: (world) => ({ params: { id: world.deliveryId } }) },
  "POST /v1/webhook-endpoints": {
    needs,
    request: (world) => ({
      body: { application_id: world.applicationId, url: "https://hooks.example.com/sample" },
    }),
  },
  "GET /v1/webhook-endpoints": {
    needs,
    absentStatus: 200,
    request: (world) => ({ query: { application_id: world.applicationId } }),
  },
  "GET /v1/webhook-endpoints/{id}": { needs, request: ofEndpoint },
  "PATCH /v1/webhook-endpoints/{id}": {
    needs,
    request: (world) => ({ ...ofEndpoint(world), body: { active: true } }),
  },
  "DELETE /v1/webhook-endpoints/{id}": {
    needs,
    request: ofEndpoint,
    renew: async (app, world) => ({
      ...world,
      ...(await createEndpoint(app, world.key, world.applicationId, "renewed")),
    }),
  },
  "POST /v1/webhook-endpoints/{id}/rotate-secret": { needs, request: ofEndpoint },
  "POST /v1/webhook-endpoints/{id}/test": { needs, request: ofEndpoint },
  "GET /v1/webhook-endpoints/{id}/deliveries": { needs, request: ofEndpoint },
  "POST /v1/webhook-endpoints/{id}/deliveries/{deliveryId}/replay": {
    needs,
    request: (world) => ({ params: { id: world.endpointId, deliveryId: world.deliveryId } }),
  },
  "POST /v1/webhook-endpoints/{id}/replay": {
    needs,
    request: (world) => ({ ...ofEndpoint(world), body: { since: "2026-11-15T00:00:00Z" } }),
  },
};

const records = [{ host: "www", type: "TXT", value: "sample" }];

function ofZone(world: World): SampleRequest {
  return { params: { zone: world.zone } };
}

async function writeZone(app: TestApp, world: World): Promise<World> {
  const path = `/v1/sandbox/zones/${world.zone}/records`;
  await call(app.api.url, path, { key: world.key, method: "PUT", body: { records } });
  return world;
}

const sandboxSamples: Readonly<Record<string, RouteSample>> = {
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

/** Keyed by "METHOD path" as in the route list. */
const samples: Readonly<Record<string, RouteSample>> = {
  ...connectionSamples,
  ...webhookSamples,
  ...sandboxSamples,
  ...peopleSamples,
  ...operatorSamples,
  "POST /v1/applications": {
    needs: ["apps:admin"],
    request: () => ({ body: { name: "Sample" } }),
  },
  "GET /v1/applications": { needs: ["apps:admin"], request: () => ({ query: { limit: "2" } }) },
  "GET /v1/applications/{id}": {
    needs: ["apps:admin"],
    request: (world) => ({ params: { id: world.applicationId } }),
  },
  "PATCH /v1/applications/{id}": {
    needs: ["apps:admin"],
    request: (world) => ({
      params: { id: world.applicationId },
      body: { origin_host_header: "preserve" },
    }),
  },
  "DELETE /v1/applications/{id}": {
    needs: ["apps:admin"],
    request: (world) => ({ params: { id: world.applicationId } }),
    renew: async (app, world) => {
      const body = { name: "To be deleted" };
      const made = await call(app.api.url, "/v1/applications", { key: world.key, body });
      return { ...world, applicationId: textOf(made, "id") };
    },
  },
  "GET /v1/audit": { needs: ["apps:admin"], request: () => ({ query: { limit: "2" } }) },
  "GET /v1/applications/{id}/domain-connect-template": {
    needs: ["apps:admin"],
    request: (world) => ({ params: { id: world.applicationId } }),
  },
  "POST /v1/applications/{id}/keys": {
    needs: ["apps:admin"],
    request: (world) => ({ params: { id: world.applicationId }, body: { name: "Sample" } }),
  },
  "GET /v1/applications/{id}/keys": {
    needs: ["apps:admin"],
    request: (world) => ({ params: { id: world.applicationId }, query: { limit: "2" } }),
  },
  "DELETE /v1/applications/{id}/keys/{keyId}": {
    needs: ["apps:admin"],
    request: (world) => ({ params: { id: world.applicationId, keyId: world.keyId } }),
  },
  "POST /v1/applications/{id}/credentials": {
    needs: ["apps:admin"],
    request: (world) => ({
      params: { id: world.applicationId },
      body: { provider: "sandbox", name: "Sample", fields: { token: "sandbox" } },
    }),
  },
  "GET /v1/applications/{id}/credentials": {
    needs: ["apps:admin"],
    request: (world) => ({ params: { id: world.applicationId } }),
  },
  "DELETE /v1/applications/{id}/credentials/{credentialId}": {
    needs: ["apps:admin"],
    request: (world) => ({
      params: { id: world.applicationId, credentialId: world.credentialId },
    }),
    renew: async (app, world) => {
      const made = await call(app.api.url, `/v1/applications/${world.applicationId}/credentials`, {
        key: world.key,
        body: { provider: "sandbox", name: "Sample", fields: { token: "sandbox" } },
      });
      return { ...world, credentialId: textOf(made, "id") };
    },
  },
  "POST /v1/applications/{id}/credentials/{credentialId}/test": {
    needs: ["apps:admin"],
    request: (world) => ({
      params: { id: world.applicationId, credentialId: world.credentialId },
    }),
  },
  "POST /v1/tokens": {
    needs: ["connections:write"],
    request: (world) => ({ body: { application_id: world.applicationId } }),
  },
  "GET /v1/widget/settings": {
    needs: ["connections:read"],
    widget: "any",
    request: () => ({}),
  },
  "POST /v1/domains:check": {
    needs: ["connections:read", "connections:write"],
    widget: true,
    request: (world) => ({ body: { domain: world.hostname } }),
  },
  "POST /v1/email/records": {
    needs: ["connections:read", "connections:write"],
    request: () => ({ body: { domain: "acme.example", provider: "fastmail" } }),
  },
  "GET /v1/providers": { needs: [], request: () => ({}) },
  "GET /v1/plans": { needs: [], request: () => ({}) },
  "GET /v1/connections/{id}/traffic": {
    needs: ["connections:read"],
    request: (world) => ({ ...ofConnection(world), query: { step: "day" } }),
  },
  "GET /v1/traffic": {
    needs: ["connections:read"],
    request: () => ({ query: { group_by: "application" } }),
  },
  "GET /v1/usage": {
    needs: ["usage:read", "connections:read"],
    request: () => ({ query: { period: "2026-11" } }),
  },
  "GET /v1/subscription": { needs: ["apps:admin", "usage:read"], request: () => ({}) },
  // No billing provider is configured in these tests.
  "POST /v1/subscriptions": {
    needs: ["apps:admin"],
    status: 502,
    request: () => ({ body: { plan: "starter" } }),
  },
};

export interface SampledRoute {
  readonly name: string;
  readonly route: Route;
  readonly sample: RouteSample;
}

/** The routes that keys and tokens may call. */
export function sampledRoutes(): readonly SampledRoute[] {
  return allSampledRoutes().filter(({ sample }) => !sample.session);
}

/** Every route with its sample; a route without one, or a sample without its route, is an error. */
export function allSampledRoutes(): readonly SampledRoute[] {
  const named = routes.map((route) => ({ name: `${route.method} ${route.path}`, route }));
  const missing = named.filter(({ name }) => !Object.hasOwn(samples, name));
  const stale = Object.keys(samples).filter((name) => !named.some((one) => one.name === name));
  if (missing.length > 0 || stale.length > 0) {
    const lines = [
      ...missing.map(
        ({ name }) =>
          `add an entry "${name}" to packages/testing/src/control/routes/route-samples.ts`,
      ),
      ...stale.map((name) => `remove the entry "${name}": no such route is registered`),
    ];
    throw new Error(lines.join("\n"));
  }
  return named.flatMap(({ name, route }) => {
    const sample = samples[name];
    return sample ? [{ name, route, sample }] : [];
  });
}

/** The URL and body of a sample. */
export function sampleRequest(route: Route, request: SampleRequest) {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = request.params?.[name];
    if (value === undefined) throw new Error(`${route.path}: the sample gives no ${name}`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams(request.query ?? {}).toString();
  return { url: query ? `${path}?${query}` : path, method: route.method, body: request.body };
}
