import assert from "node:assert/strict";
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from "playwright-core";

/** What the page heard, in order: events by their names, callbacks by theirs. */
export interface Told {
  readonly name: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** One customer on the tenant's page. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Every address that the browser asked for. */
  readonly asked: readonly string[];
  /** Opens the widget with a click on the page's own button. */
  open(given: object): Promise<void>;
  /** The same, but leaves the click to the test. */
  arm(given: object): Promise<void>;
  id(name: string): Locator;
  step(name: string): Promise<void>;
  told(): Promise<readonly Told[]>;
  steps(): Promise<readonly unknown[]>;
  /** Leaves, and fails when the page complained or asked somebody else. */
  leave(): Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  readonly url: string;
  /** All that the browser may talk to. */
  readonly allowed: readonly string[];
  /** What `getToken` answers with; without it there is none. */
  readonly mint?: () => Promise<string>;
}

/** The machine may be busy with other suites; what is waited for comes by itself. */
const patienceMs = 30_000;

export async function visitPage(browser: Browser, options: VisitOptions): Promise<Visitor> {
  const { url, allowed, mint, ...given } = options;
  const context = await browser.newContext({ reducedMotion: "reduce", ...given });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // The browser itself notes every answer that is an error; those are the tests' subject.
    const isNote = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isNote) complaints.push(message.text());
  });
  if (mint !== undefined) await page.exposeFunction("mintToken", mint);
  await page.goto(url);
  const visitor: Visitor = {
    page,
    context,
    asked,
    async open(options) {
      await visitor.arm(options);
      await page.locator("#open").click();
      await visitor.id("panel").waitFor();
    },
    arm: (options) => page.evaluate<void>(armButton(options, mint !== undefined)),
    id: (name) => page.getByTestId(`svc-${name}`),
    step: (name) => page.locator(`[data-testid=svc-panel][data-step=${name}]`).waitFor(),
    told: () => page.evaluate<readonly Told[]>("told"),
    async steps() {
      const told = await visitor.told();
      return told.filter(({ name }) => name === "svc:step").map(({ detail }) => detail["step"]);
    },
    async leave() {
      await context.close();
      const foreign = asked.filter((one) => !allowed.some((mine) => one.startsWith(mine)));
      assert.deepEqual({ foreign, complaints }, { foreign: [], complaints: [] });
    },
  };
  return visitor;
}

/** In the page: the button opens the widget, and everything that it says is noted. */
function armButton(options: object, canRenew: boolean): string {
  const getToken = canRenew ? ", getToken: () => window.mintToken()" : "";
  return `{
    const told = (window.told = []);
    for (const name of ["svc:step", "svc:success", "svc:close", "svc:error"]) {
      addEventListener(name, ({ detail }) => told.push({ name, detail }));
    }
    const note = (name) => (detail) => told.push({ name, detail });
    const callbacks = { onSuccess: note("onSuccess"), onClose: note("onClose")${getToken} };
    document.querySelector("#open").onclick = () => {
      window.handle = Svc.open({ ...callbacks, ...${JSON.stringify(options)} });
    };
  }`;
}

export interface ExpectedFlow {
  readonly domain: string;
  readonly provider: string | null;
  readonly setupType: string;
  /** After the two first screens, with `success` as the last one. */
  readonly steps: readonly string[];
}

/**
 * Everything that a page is told on the way from the empty field to a live domain and a press on
 * Done: the spec's table of browser events, with every field and no other.
 */
export function expectedEvents(told: readonly Told[], flow: ExpectedFlow): readonly Told[] {
  const { domain, provider, setupType, steps } = flow;
  const jobId = jobIn(told);
  const step = (name: string, known: object): Told => ({
    name: "svc:step",
    detail: { domain: null, provider: null, jobId: null, ...known, step: name },
  });
  const result = { domain, provider, setupType, success: true, jobId };
  // The domain is live when the optional step for mail begins.
  const liveAt = steps.includes("email") ? steps.indexOf("email") : steps.indexOf("success");
  const after = steps.map((name) => step(name, { domain, provider, jobId }));
  return [
    step("enter_domain", {}),
    step("domain_analysis", { domain }),
    ...after.slice(0, liveAt + 1),
    { name: "svc:success", detail: result },
    { name: "onSuccess", detail: { id: jobId, domain } },
    ...after.slice(liveAt + 1),
    { name: "svc:close", detail: { ...result, lastStatus: "live", reason: "success" } },
    { name: "onClose", detail: { id: jobId, domain, succeeded: true } },
  ];
}

/** The connection's id, which only the service knows beforehand. */
export function jobIn(told: readonly Told[]): string {
  const ids = told.map(({ detail }) => detail["jobId"]).filter((id) => id != null);
  assert.ok(ids.length > 0 && new Set(ids).size === 1, "one connection");
  const [id] = ids;
  assert.ok(typeof id === "string" && /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id), "a UUID v7");
  return id;
}
