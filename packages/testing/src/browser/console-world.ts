import assert from "node:assert/strict";
import path from "node:path";
import type pg from "pg";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { startApi } from "../../../control/src/process/start-api.ts";
import { startWorker } from "../../../control/src/process/start-worker.ts";
import {
  createConsoleLink,
  createOperatorLink,
} from "../../../control/src/services/operator/console-links.ts";
import type { NewTenant } from "../../../control/src/services/operator/tenants.ts";
import { openSession } from "../clients/connecting.ts";
import { startTestApp, type TestApp } from "../control/app.ts";
import { signIn } from "../control/session.ts";
import { freePort } from "../processes/free-port.ts";
import { launchChromium } from "./chromium.ts";

export type Role = "owner" | "admin" | "developer" | "support" | "viewer";

/** The API with the built console, a worker, a tenant and a real browser. */
export interface ConsoleWorld {
  readonly app: TestApp;
  readonly url: string;
  readonly tenant: NewTenant;
  readonly session: pg.Client;
  readonly browser: Browser;
  /** A new browser profile that nobody has signed in to. */
  visit(options?: BrowserContextOptions): Promise<Visit>;
  /** A new browser profile that has a session. */
  signIn(role: Role, options?: BrowserContextOptions): Promise<Visit>;
  /** A new browser profile in which a person has opened a one-time link. */
  signInByLink(role: Role, options?: BrowserContextOptions): Promise<Visit>;
  signInOperator(options?: BrowserContextOptions): Promise<Visit>;
  /** A one-time link; with a member's mail address it signs that member in. */
  link(role: Role | null, email?: string): Promise<string>;
  /** A one-time link that signs an operator in. */
  operatorLink(): Promise<string>;
  close(): Promise<void>;
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts, violations of the content security policy and requests to other hosts. */
  readonly problems: readonly string[];
  /** Loads a view of the console, such as `/test/domains`. */
  open(view: string): Promise<void>;
  /** Goes to another view of the loaded console, as a link does. */
  go(view: string): Promise<void>;
}

/** What `npm run build` has made, before the tests run. */
function dist(name: string): string {
  return path.resolve(import.meta.dirname, "../../../../packages", name);
}

export async function startConsoleWorld(
  env: Readonly<Record<string, string>> = {},
): Promise<ConsoleWorld> {
  const port = await freePort();
  // Passkeys belong to a name, never to an address.
  const url = `http://localhost:${port}`;
  const app = await startTestApp({
    BASE_URL: url,
    EDGE_CNAME: "edge.mooring.example",
    WEBHOOK_ALLOW_PRIVATE: "loopback",
    VALIDATION_ZONE: "validation.test",
    // No registry answers for .test: nobody is asked.
    RDAP: "on",
    ...env,
  });
  const stops: (() => Promise<unknown>)[] = [app.close];
  const { clock, config } = app;
  const { log } = app.operator;
  const assets = { console: dist("console/dist"), widget: dist("widget/dist/sdk/v1") };
  stops.push((await startApi({ ...config, port }, { clock, log, assets })).close);
  stops.push((await startWorker(config, { clock, log })).close);
  const session = await openSession(app.databaseUrl);
  stops.push(() => session.end());
  const browser = await launch();
  stops.push(() => browser.close());
  const tenant = await app.tenant("Harbour");
  const visit = (options?: BrowserContextOptions) => openVisit(browser, url, options);
  const link = async (role: Role | null, email: string | null = null) =>
    (await createConsoleLink(app.operator, { tenant: tenant.tenant.id, role, email })).url;
  const operatorLink = async () => (await createOperatorLink(app.operator)).url;
  return {
    app,
    url,
    tenant,
    session,
    browser,
    visit,
    link,
    operatorLink,
    async signIn(role, options) {
      const opened = await visit(options);
      const { cookie } = await signIn(app, tenant.tenant.id, role);
      const [name = "", value = ""] = cookie.split("=", 2);
      await opened.context.addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax" }]);
      return opened;
    },
    async signInByLink(role, options) {
      return redeem(await visit(options), await link(role));
    },
    async signInOperator(options) {
      return redeem(await visit(options), await operatorLink());
    },
    async close() {
      for (const stop of stops.toReversed()) await stop();
    },
  };
}

/** The browser resolves no name and reaches only this machine. */
function launch(): Promise<Browser> {
  const args = [
    "--no-sandbox",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
  ];
  return launchChromium(...args);
}

async function openVisit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 900 },
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
    ...options,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(`script: ${error.message}`));
  page.on("console", (message) => {
    // Chromium reports each response with a status of 400 or more; the console shows those to the
    // person.
    const isStatus = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isStatus) problems.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const isOwn = request.url().startsWith(`${url}/`) || request.url().startsWith("data:");
    if (!isOwn) problems.push(`request to ${request.url()}`);
  });
  return {
    context,
    page,
    problems,
    async open(view) {
      await page.goto(`${url}/console${view}`);
    },
    async go(view) {
      const address = JSON.stringify(`/console${view}`);
      await page.evaluate(`history.pushState({}, "", ${address});
        dispatchEvent(new PopStateEvent("popstate", { state: {} }))`);
    },
  };
}

async function redeem(visit: Visit, link: string): Promise<Visit> {
  const { page } = visit;
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/console\/(live|test|operator)/);
  assert.deepEqual(visit.problems, []);
  return visit;
}
