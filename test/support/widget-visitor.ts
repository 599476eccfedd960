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
