import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type pg from "pg";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { buildWidget } from "../../../../scripts/build/widget.ts";
import { byVariable } from "../../../control/src/config/config.ts";
import { loadRootKeys } from "../../../control/src/config/root-keys.ts";
import { startApi } from "../../../control/src/process/start-api.ts";
import { startWorker } from "../../../control/src/process/start-worker.ts";
import { startEdge } from "../../../edge/src/process/start-edge.ts";
import { type Caller, openCaller, openSession, type ZoneLine } from "../clients/connecting.ts";
import { startTestApp, type TestApp } from "../control/app.ts";
import { call, textOf } from "../control/http.ts";
import { launchChromium } from "./chromium.ts";
import { type Customer, openTenantPage } from "./widget-customer.ts";

/** The whole product, a tenant's page with a strict content security policy, and a real browser. */
export interface WidgetWorld {
  readonly app: TestApp;
  readonly session: pg.Client;
  readonly pageUrl: string;
  readonly browser: Browser;
  /** A new tenant with an application. */
  caller(name: string, environment?: "test" | "live"): Promise<Caller>;
  /** A widget token, bound to the domain if there is one, of the customer if there is one. */
  mint(caller: Caller, domain?: string, customerRef?: string): Promise<string>;
  /** Starts the worker and the edge; before, no connection changes by itself. */
  work(): Promise<void>;
  visit(options?: VisitSetting): Promise<Customer>;
  close(): Promise<void>;
}

export interface VisitSetting extends BrowserContextOptions {
  readonly mint?: () => Promise<string>;
}

export async function startWidgetWorld(
  env: Readonly<Record<string, string>> = {},
): Promise<WidgetWorld> {
  const app = await startTestApp(env);
  const stops: (() => Promise<unknown>)[] = [app.close];
  const { clock, config } = app;
  const assets = { widget: (await buildWidget()).outDir };
  const api = await startApi(config, { clock, log: app.operator.log, assets });
  stops.push(api.close);
  const site = await startSite(api.url);
  stops.push(site.stop);
  const session = await openSession(app.databaseUrl);
  stops.push(() => session.end());
  const browser = await launch();
  stops.push(() => browser.close());
  let working: Promise<void> | null = null;
  const allowed = [`${site.url}/`, `${api.url}/`, "blob:"];
  return {
    app,
    session,
    browser,
    pageUrl: site.url,
    async caller(name, environment = "test") {
      return openCaller(api.url, (await app.tenant(name)).keys[environment], name);
    },
    mint,
    work() {
      // A cut-over is checked at the port that is configured.
      working ??= startWork(app, stops, Number(env["EDGE_HTTPS_PORT"] ?? 0));
      return working;
    },
    visit: (options = {}) => openTenantPage(browser, { url: site.url, allowed, ...options }),
    async close() {
      await working;
      for (const stop of stops.toReversed()) await stop();
    },
  };
}

/** The browser resolves no name and reaches only 127.0.0.1. */
function launch(): Promise<Browser> {
  return launchChromium("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1");
}

/** The policy from the widget's README: the minimum that a page must allow. */
export function documentedPolicy(base: string): string {
  return `default-src 'none'; script-src ${base}; connect-src ${base}`;
}

/** A tenant's page on another origin than the API. */
async function startSite(base: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<script src="${base}/sdk/v1/widget.js"></script></head><body><main><h1>Settings</h1>
<p><a href="#before">Before</a></p><button id="open" type="button">Connect a domain</button>
<p><a href="#after">After</a></p></main></body></html>`;
  const server = createServer((request, response) => {
    if (request.url !== "/") {
      response.writeHead(204).end();
      return;
    }
    response.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": documentedPolicy(base),
    });
    response.end(html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function mint(
  { base, key, applicationId }: Caller,
  domain?: string,
  customerRef?: string,
): Promise<string> {
  const body = {
    application_id: applicationId,
    ...(domain === undefined ? {} : { domain }),
    ...(customerRef === undefined ? {} : { customer_ref: customerRef }),
  };
  const answer = await call(base, "/v1/tokens", { key, body });
  assert.equal(answer.status, 201, answer.text);
  return textOf(answer, "auth_token");
}

async function startWork(
  app: TestApp,
  stops: (() => Promise<unknown>)[],
  httpsPort: number,
): Promise<void> {
  const { log } = app.operator;
  const worker = await startWorker(app.config, { clock: app.clock, log });
  stops.push(worker.close);
  const edge = await startEdge({
    settings: {
      ...byVariable(app.config),
      ASK_URL: `${app.api.url}/internal/ask`,
      EDGE_HTTP_PORT: 0,
      EDGE_HTTPS_PORT: httpsPort,
      ORIGIN_ALLOW_PRIVATE: true,
    },
    databaseUrl: app.databaseUrl,
    rootKeys: loadRootKeys(app.config),
    resolvers: ["127.0.0.1:9"],
    caaNames: () => ["letsencrypt.org"],
    log,
    clock: app.clock,
    // It shares its process with the test, and would shed load on a busy machine.
    limits: { shedDelayMs: Number.POSITIVE_INFINITY, refuseDelayMs: Number.POSITIVE_INFINITY },
  });
  stops.push(edge.close);
}

/** Stores the sandbox's credential with the application. */
export async function storeCredential({ base, key, applicationId }: Caller): Promise<void> {
  const body = { provider: "sandbox", name: "Ours", fields: { token: "sandbox" } };
  const path = `/v1/applications/${applicationId}/credentials`;
  const answer = await call(base, path, { key, body });
  assert.equal(answer.status, 201, answer.text);
}

const unknownServers = ["ns1.dns-nobody-knows.example", "ns2.dns-nobody-knows.example"];

/** Replaces a zone with unknown name servers, whose records can only be added by hand. */
export async function publishByHand(
  { base, key }: Caller,
  zone: string,
  records: readonly ZoneLine[],
): Promise<void> {
  const body = { records, nameservers: unknownServers };
  const path = `/v1/sandbox/zones/${zone}/records`;
  const answer = await call(base, path, { key, method: "PUT", body });
  assert.equal(answer.status, 200, answer.text);
}
