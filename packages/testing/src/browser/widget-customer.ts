import assert from "node:assert/strict";
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from "playwright-core";

/** An event or a callback that the page received, by its name. */
export interface PageEvent {
  readonly name: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** One customer on the tenant's page. */
export interface Customer {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Every URL that the browser requested. */
  readonly asked: readonly string[];
  /** Opens the widget with a click on the button of the page. */
  open(input: object): Promise<void>;
  /** Prepares the button, and leaves the click to the test. */
  arm(input: object): Promise<void>;
  id(name: string): Locator;
  step(name: string): Promise<void>;
  /** All events and callbacks so far, in order. */
  events(): Promise<readonly PageEvent[]>;
  steps(): Promise<readonly unknown[]>;
  /** Closes the page; fails when it logged an error or requested a URL that is not allowed. */
  leave(): Promise<void>;
}

export interface CustomerOptions extends BrowserContextOptions {
  readonly url: string;
  /** Prefixes of the URLs that the browser may request. */
  readonly allowed: readonly string[];
  /** The source of tokens for `getToken`; without it the option is not set. */
  readonly mint?: () => Promise<string>;
}

export async function openTenantPage(
  browser: Browser,
  options: CustomerOptions,
): Promise<Customer> {
  const { url, allowed, mint, ...input } = options;
  const context = await browser.newContext({ reducedMotion: "reduce", ...input });
  const page = await context.newPage();
  const asked: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    // The browser logs every error response; those are expected here.
    const isNote = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isNote) errors.push(message.text());
  });
  if (mint !== undefined) await page.exposeFunction("mintToken", mint);
  await page.goto(url);
  const customer: Customer = {
    page,
    context,
    asked,
    async open(options) {
      await customer.arm(options);
      await page.locator("#open").click();
      await customer.id("panel").waitFor();
    },
    arm: (options) => page.evaluate<void>(armButton(options, mint !== undefined)),
    id: (name) => page.getByTestId(`svc-${name}`),
    step: (name) => page.locator(`[data-testid=svc-panel][data-step=${name}]`).waitFor(),
    events: () => page.evaluate<readonly PageEvent[]>("received"),
    async steps() {
      const events = await customer.events();
      return events.filter(({ name }) => name === "svc:step").map(({ detail }) => detail["step"]);
    },
    async leave() {
      await context.close();
      const forbidden = asked.filter((url) => !allowed.some((prefix) => url.startsWith(prefix)));
      assert.deepEqual({ forbidden, errors }, { forbidden: [], errors: [] });
    },
  };
  return customer;
}

/**
 * Script for the page: the button opens the widget, and all its events and callbacks are recorded.
 */
function armButton(options: object, canRenew: boolean): string {
  const getToken = canRenew ? ", getToken: () => window.mintToken()" : "";
  return `{
    const received = (window.received = []);
    for (const name of ["svc:step", "svc:success", "svc:close", "svc:error"]) {
      addEventListener(name, ({ detail }) => received.push({ name, detail }));
    }
    const record = (name) => (detail) => received.push({ name, detail });
    const callbacks = { onSuccess: record("onSuccess"), onClose: record("onClose")${getToken} };
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
 * All events from the empty field to a live domain and a click on Done: the spec's table of browser
 * events, with every field and no other.
 */
export function expectedEvents(
  events: readonly PageEvent[],
  flow: ExpectedFlow,
): readonly PageEvent[] {
  const { domain, provider, setupType, steps } = flow;
  const jobId = jobIn(events);
  const step = (name: string, known: object): PageEvent => ({
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

/** The id of the connection in the events. */
export function jobIn(events: readonly PageEvent[]): string {
  const ids = events.map(({ detail }) => detail["jobId"]).filter((id) => id != null);
  assert.ok(ids.length > 0 && new Set(ids).size === 1, "one connection");
  const [id] = ids;
  assert.ok(typeof id === "string" && /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id), "a UUID v7");
  return id;
}
