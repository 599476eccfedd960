import type { Route } from "../../src/api/route.ts";
import { routes } from "../../src/api/routes.ts";
import { connectionSamples } from "./connection-samples.ts";
import { call, textOf } from "./http.ts";
import type { RouteSample, SampleRequest } from "./route-sample.ts";
import { sandboxSamples } from "./sandbox-samples.ts";
import { webhookSamples } from "./webhook-samples.ts";

/** Keyed by "METHOD path" as in the route list. */
const samples: Readonly<Record<string, RouteSample>> = {
  ...connectionSamples,
  ...webhookSamples,
  ...sandboxSamples,
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

/** Every route with its sample; a route without one, or a sample without its route, is an error. */
export function sampledRoutes(): readonly SampledRoute[] {
  const named = routes.map((route) => ({ name: `${route.method} ${route.path}`, route }));
  const missing = named.filter(({ name }) => !Object.hasOwn(samples, name));
  const stale = Object.keys(samples).filter((name) => !named.some((one) => one.name === name));
  if (missing.length > 0 || stale.length > 0) {
    const lines = [
      ...missing.map(({ name }) => `add an entry "${name}" to test/support/route-samples.ts`),
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
export function requestOf(route: Route, request: SampleRequest) {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = request.params?.[name];
    if (value === undefined) throw new Error(`${route.path}: the sample gives no ${name}`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams(request.query ?? {}).toString();
  return { url: query ? `${path}?${query}` : path, method: route.method, body: request.body };
}
