import type { NewTenant } from "../../../control/src/services/operator/tenants.ts";
import type { TestApp } from "./app.ts";
import { call, textOf } from "./http.ts";

/** One tenant's objects in one environment, as the route samples use them. */
export interface World {
  /** All scopes. */
  readonly key: string;
  readonly applicationId: string;
  readonly keyId: string;
  readonly credentialId: string;
  /** Of `hostname`, which belongs to this world alone. */
  readonly connectionId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
  /** Only where a route needs one. */
  readonly statusLinkId?: string;
  readonly hostname: string;
  /** The sandbox zone of the hostname; in the live environment one that does not exist. */
  readonly zone: string;
}

/** The fields of a world that are ids. Another tenant must not be able to use them. */
export const idFields = [
  "applicationId",
  "keyId",
  "credentialId",
  "connectionId",
  "endpointId",
  "deliveryId",
] as const;
export type IdField = (typeof idFields)[number];

/** For tests that send more than any client should. */
export const withoutLimits = {
  RATE_LIMITS: ["general", "check", "tokens", "connection", "unauthorized"]
    .map((bucket) => `${bucket}=100000:100000`)
    .join(),
};

let worlds = 0;

/** Text in the name of every object of the world; tests search for it where it must not appear. */
export function canaryName(name: string): string {
  return `canary-${name}`;
}

export async function makeWorld(app: TestApp, key: string, name: string): Promise<World> {
  const base = app.api.url;
  worlds += 1;
  const canary = canaryName(name);
  const made = await call(base, "/v1/applications", { key, body: { name: `${canary} app` } });
  const applicationId = textOf(made, "id");
  const under = `/v1/applications/${applicationId}`;
  const secondKey = await call(base, `${under}/keys`, { key, body: { name: `${canary} key` } });
  const credential = await call(base, `${under}/credentials`, {
    key,
    body: { provider: "sandbox", name: `${canary} credential`, fields: { token: "sandbox" } },
  });
  const isTest = key.startsWith("sk_test_");
  const zone = `world-${worlds}.test`;
  const hostname = isTest ? `www.${zone}` : `www.world-${worlds}.example.com`;
  if (isTest) {
    const path = `/v1/sandbox/zones/${zone}/records`;
    await call(base, path, { key, method: "PUT", body: { records: [] } });
  }
  const connectionId = await createConnection(app, key, applicationId, hostname);
  const { endpointId, deliveryId } = await createEndpoint(app, key, applicationId, canary);
  return {
    key,
    applicationId,
    keyId: textOf(secondKey, "id"),
    credentialId: textOf(credential, "id"),
    connectionId,
    endpointId,
    deliveryId,
    hostname,
    zone,
  };
}

export async function createConnection(
  app: TestApp,
  key: string,
  applicationId: string,
  hostname: string,
): Promise<string> {
  const body = { application_id: applicationId, hostname };
  return textOf(await call(app.api.url, "/v1/connections", { key, body }), "id");
}

/** A receiver and a delivery to it. No worker runs, so nothing is sent. */
export async function createEndpoint(
  app: TestApp,
  key: string,
  applicationId: string,
  label: string,
): Promise<{ readonly endpointId: string; readonly deliveryId: string }> {
  const body = { application_id: applicationId, url: `https://hooks.example.com/${label}` };
  const made = await call(app.api.url, "/v1/webhook-endpoints", { key, body });
  const endpointId = textOf(made, "id");
  const path = `/v1/webhook-endpoints/${endpointId}/test`;
  const sent = await call(app.api.url, path, { key, method: "POST" });
  return { endpointId, deliveryId: textOf(sent, "id") };
}

/** One tenant's objects in both environments. */
export interface Sides {
  readonly tenant: NewTenant;
  readonly test: World;
  readonly live: World;
}

export async function makeSides(app: TestApp, name: string): Promise<Sides> {
  const tenant = await app.tenant(name);
  return {
    tenant,
    test: await makeWorld(app, tenant.keys.test, `${name}-test`),
    live: await makeWorld(app, tenant.keys.live, `${name}-live`),
  };
}

/** A key of the world's application with exactly these scopes. */
export async function keyWith(
  app: TestApp,
  world: Pick<World, "key" | "applicationId">,
  scopes: readonly string[],
): Promise<{ readonly id: string; readonly secret: string }> {
  const made = await call(app.api.url, `/v1/applications/${world.applicationId}/keys`, {
    key: world.key,
    body: { name: scopes.join(" "), scopes },
  });
  return { id: textOf(made, "id"), secret: textOf(made, "secret") };
}

export async function mintToken(
  app: TestApp,
  key: string,
  applicationId: string,
  domain?: string,
): Promise<string> {
  const body = { application_id: applicationId, ...(domain ? { domain } : {}) };
  return textOf(await call(app.api.url, "/v1/tokens", { key, body }), "auth_token");
}
