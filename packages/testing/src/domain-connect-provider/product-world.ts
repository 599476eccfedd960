import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type pg from "pg";
import { buildWidget } from "../../../../scripts/build/widget.ts";
import { readConfig } from "../../../control/src/config/config.ts";
import { createLogger } from "../../../control/src/process/log.ts";
import { openRuntime } from "../../../control/src/process/open-runtime.ts";
import { startApi } from "../../../control/src/process/start-api.ts";
import { startWorker } from "../../../control/src/process/start-worker.ts";
import { createDomainConnectKey } from "../../../control/src/services/domain-connect/keys.ts";
import { createTenant } from "../../../control/src/services/operator/tenants.ts";
import type { DnsRecord, DomainConnectTemplate } from "../../../dns/src/index.ts";
import { createGuard, type Guard } from "../../../egress/src/index.ts";
import { type Caller, openCaller, openSession } from "../clients/connecting.ts";
import { call } from "../control/http.ts";
import { createTestDatabase } from "../database/database.ts";
import { freePort } from "../processes/free-port.ts";
import { makeTls, type TestTls } from "./certificates.ts";
import { startFront } from "./front.ts";
import type { ProviderClient, ProviderOptions } from "./options.ts";
import { type DomainConnectProvider, startDomainConnectProvider } from "./start.ts";
import { startZoneServers, type ZoneServers } from "./zone-servers.ts";

export const serviceZone = "mooring-dc.example";
/** At the provider with the synchronous flow. */
export const syncZone = "acme-dc.example";
/** At the provider with the asynchronous flow, where the operator is a client. */
export const asyncZone = "bolt-dc.example";
const providerZone = "provider-dc.example";
const siteHost = "site-dc.example";
const productHost = `app.${serviceZone}`;
const edgeHost = `edge.${serviceZone}`;

/** The whole product behind TLS under its own name, two DNS providers, and real name servers. */
export interface ProductWorld {
  readonly baseUrl: string;
  /** A tenant's site; its page records the messages of a popup. */
  readonly siteUrl: string;
  readonly caller: Caller;
  readonly session: pg.Client;
  readonly zones: ZoneServers;
  readonly log: readonly string[];
  /** How both providers behave; tests may change it. */
  readonly behaviour: ProviderBehaviour;
  stop(): Promise<void>;
}

interface ProviderBehaviour {
  /** Whether the redirect returns `state`. */
  echoesState: boolean;
}

const sitePage = `<!doctype html><title>The tenant's site</title><h1>The tenant's site</h1>
<script>window.received = []; addEventListener("message", ({ data }) => received.push(data));</script>`;

export async function startProductWorld(): Promise<ProductWorld> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.toReversed()) await one();
  };
  try {
    return { ...(await start(stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(stops: (() => Promise<unknown>)[]): Promise<Omit<ProductWorld, "stop">> {
  const [frontPort, syncPort, asyncPort] = [await freePort(), await freePort(), await freePort()];
  const baseUrl = `https://${productHost}:${frontPort}`;
  const siteUrl = `https://${siteHost}:${frontPort}`;
  const zones = await startZoneServers({
    [serviceZone]: [a(edgeHost), a(productHost)],
    [providerZone]: [a(`sync.${providerZone}`), a(`async.${providerZone}`)],
    [syncZone]: [offer(syncZone, `sync.${providerZone}:${syncPort}`)],
    [asyncZone]: [offer(asyncZone, `async.${providerZone}:${asyncPort}`)],
  });
  stops.push(zones.stop);
  const names = [productHost, siteHost, `sync.${providerZone}`, `async.${providerZone}`];
  const tls = await makeTls(names);
  const front = await startFront(tls, { port: frontPort, productHost, sitePage });
  stops.push(front.stop);
  const client: ProviderClient = {
    clientId: "mooring",
    clientSecret: "the-client-secret",
    redirectUris: [`${baseUrl}/v1/connect/domain-connect/return`],
    providerId: serviceZone,
  };
  const templates: DomainConnectTemplate[] = [];
  const behaviour: ProviderBehaviour = { echoesState: true };
  const provide = (kind: "sync" | "async", port: number, zone: string, more: object) =>
    startProvider(zones, tls, { kind, port, zone, templates, behaviour, ...more });
  const syncProvider = await provide("sync", syncPort, syncZone, {});
  stops.push(syncProvider.stop);
  const asyncProvider = await provide("async", asyncPort, asyncZone, { clients: [client] });
  stops.push(asyncProvider.stop);
  const clients = clientsFile(client, asyncPort);
  const product = await startProduct(stops, { baseUrl, zones, tls, clients, front });
  const { caller } = product;
  await allowSite(caller, siteUrl);
  templates.push(...(await publishedTemplates(caller)));
  return { baseUrl, siteUrl, zones, behaviour, ...product };
}

function a(name: string): DnsRecord {
  return { name, type: "A", value: "127.0.0.1", ttl: 60, priority: null };
}

function offer(zone: string, prefix: string): DnsRecord {
  return { name: `_domainconnect.${zone}`, type: "TXT", value: prefix, ttl: 60, priority: null };
}

function startProvider(
  zones: ZoneServers,
  { tls }: TestTls,
  input: Pick<ProviderOptions, "templates" | "clients"> & {
    readonly kind: "sync" | "async";
    readonly port: number;
    readonly zone: string;
    readonly behaviour: ProviderBehaviour;
  },
): Promise<DomainConnectProvider> {
  const { kind, port, zone, behaviour, ...rest } = input;
  const { signal } = new AbortController();
  return startDomainConnectProvider({
    ...rest,
    providerId: `${kind}.${providerZone}`,
    providerName: `Provider ${kind}`,
    baseUrl: `https://${kind}.${providerZone}:${port}`,
    tls,
    port,
    get echoesState() {
      return behaviour.echoesState;
    },
    holdsZone: (domain) => domain === zone,
    readZone: async (domain) => zones.records(domain),
    writeZone: (domain, change) => zones.change(domain, change),
    lookupTxt: async (name) => {
      const reply = await zones.resolver.resolve(name, "TXT", signal);
      return reply.outcome === "records" ? reply.records.map(({ value }) => value) : [];
    },
  });
}

function clientsFile(client: ProviderClient, asyncPort: number): string {
  return JSON.stringify([
    {
      provider_id: `async.${providerZone}`,
      url_api: `https://async.${providerZone}:${asyncPort}/api`,
      client_id: client.clientId,
      client_secret: client.clientSecret,
    },
  ]);
}

interface ProductParts {
  readonly baseUrl: string;
  readonly zones: ZoneServers;
  readonly tls: TestTls;
  readonly clients: string;
  readonly front: { leadTo(url: string): void };
}

async function startProduct(stops: (() => Promise<unknown>)[], parts: ProductParts) {
  const { baseUrl, zones, tls, front } = parts;
  const database = await createTestDatabase();
  stops.push(database.drop);
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-dc-"));
  stops.push(() => rm(directory, { recursive: true, force: true }));
  const clientsPath = path.join(directory, "clients.json");
  await writeFile(clientsPath, parts.clients);
  const config = readConfig({
    DATABASE_URL: database.url,
    DATA_DIR: directory,
    PORT: "0",
    BASE_URL: baseUrl,
    DNS_RESOLVERS: zones.resolverAddress,
    DNS_AUTHORITATIVE_PORT: String(zones.port),
    EDGE_CNAME: edgeHost,
    EDGE_IPV4: "127.0.0.1",
    DOMAIN_CONNECT_CLIENTS_FILE: clientsPath,
  });
  const log: string[] = [];
  const logger = createLogger({
    level: "trace",
    name: "test",
    destination: { write: (line) => void log.push(line) },
  });
  const options = { egress: loopbackGuard(zones, tls), log: logger };
  const operator = { url: database.url, role: "mooring_operator", name: "operator" } as const;
  const opened = await withRetries(() => openRuntime(config, { ...options, ...operator }));
  stops.push(opened.close);
  await publishKey(opened.runtime, zones);
  const assets = { widget: (await buildWidget()).outDir };
  const api = await withRetries(() => startApi(config, { ...options, assets }));
  stops.push(api.close);
  const worker = await withRetries(() => startWorker(config, options));
  stops.push(worker.close);
  front.leadTo(api.url);
  const session = await openSession(database.url);
  stops.push(() => session.end());
  const { keys } = await createTenant(opened.runtime, "Shop");
  return { caller: await openCaller(api.url, keys.live), session, log };
}

const startAttempts = 5;

/**
 * Retries a start: a busy database may not answer within its second, and a supervisor would
 * restart.
 */
async function withRetries<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      if (attempt === startAttempts) throw error;
    }
  }
}

/**
 * The guard of production with the test's DNS and authority. The providers are on loopback, which
 * an operator would have to allow in the same way.
 */
function loopbackGuard({ resolver }: ZoneServers, { ca }: TestTls): Guard {
  const { signal } = new AbortController();
  return createGuard({
    allow: ["127.0.0.0/8"],
    tls: { ca },
    lookup: async (hostname) => {
      const reply = await resolver.resolve(hostname, "A", signal);
      return reply.outcome === "records" ? reply.records.map(({ value }) => value) : [];
    },
  });
}

/** What `mooring domain-connect keys create` prints, put into DNS as an operator would. */
async function publishKey(
  runtime: Parameters<typeof createDomainConnectKey>[0],
  zones: ZoneServers,
): Promise<void> {
  const { signal } = new AbortController();
  const { name, records } = await createDomainConnectKey(runtime, { activate: false }, signal);
  const rest = { name, type: "TXT", ttl: 60, priority: null } as const;
  await zones.change(serviceZone, { add: records.map((value) => ({ ...rest, value })) });
}

async function allowSite({ base, key, applicationId }: Caller, siteUrl: string): Promise<void> {
  const body = { allowed_origins: [siteUrl] };
  const path = `/v1/applications/${applicationId}`;
  const answer = await call(base, path, { key, method: "PATCH", body });
  assert.equal(answer.status, 200, answer.text);
}

/** The templates that an operator sends to the providers. */
async function publishedTemplates({
  base,
  key,
  applicationId,
}: Caller): Promise<readonly DomainConnectTemplate[]> {
  const path = `/v1/applications/${applicationId}/domain-connect-template`;
  const answer = await call(base, path, { key });
  assert.equal(answer.status, 200, answer.text);
  const { templates } = answer.json();
  assert.ok(Array.isArray(templates) && templates.length === 3, answer.text);
  return templates.map(templateIn);
}

/** The API's JSON, unchecked; a provider refuses the link when something is missing. */
function templateIn(entry: { readonly template: DomainConnectTemplate }): DomainConnectTemplate {
  return entry.template;
}
