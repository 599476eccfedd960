import type { ConnectionDetail } from "@mooring/sdk";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { buildWidget } from "../../../../scripts/build/widget.ts";
import { launchChromium } from "../browser/chromium.ts";
import { type FakeAnswer, type FakeService, startFakeService } from "./fake-service.ts";
import { productPage } from "./product-page.ts";
import {
  applicationId,
  sampleCheck,
  sampleChecked,
  sampleConnection,
  sampleDiagnosis,
  samplePlan,
  sampleSettings,
} from "./samples.ts";

interface RecordedEvent {
  readonly name: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A browser, a page and a scripted service; `begin` resets them for the next test. */
export interface Harness {
  readonly service: FakeService;
  /** The connection that the service returns. */
  connection: ConnectionDetail;
  /** The next check changes the connection; a poll before it sees it as it was. */
  readonly checkFinds: (connection: ConnectionDetail) => void;
  readonly page: () => Page;
  readonly context: () => BrowserContext;
  readonly begin: () => Promise<void>;
  /** Opens the widget on a page that records its events and callbacks. */
  readonly open: (options?: object, path?: string) => Promise<void>;
  readonly recordedEvents: () => Promise<readonly RecordedEvent[]>;
  readonly id: (name: string) => Locator;
  readonly step: (name: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const strictPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Strict</title>
<script src="/sdk/v1/widget.js"></script><button id="open">Connect</button></html>`;
const elementPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Element</title>
<script type="module" src="/sdk/v1/element.mjs"></script>
<svc-connect application-id="${applicationId}" token="t" domain="shop.acme.com"></svc-connect></html>`;
const providerPage = `<!doctype html><title>Provider</title>
<button onclick="opener.postMessage({type:'svc:domain-connect',status:'returned'},'*')">Yes</button>`;

export async function startHarness(): Promise<Harness> {
  await buildWidget();
  const browser = await launchChromium();
  const service = await startFakeService({
    "/": { html: productPage() },
    "/strict": {
      html: strictPage,
      csp: "default-src 'none'; script-src 'self'; connect-src 'self'",
    },
    "/element": { html: elementPage },
    "/provider": { html: providerPage },
  });
  return createHarness(browser, service);
}

function createHarness(browser: Browser, service: FakeService): Harness {
  let context: BrowserContext | null = null;
  let page: Page | null = null;
  const thePage = () => present(page);
  const harness: Harness = {
    service,
    connection: sampleConnection(),
    checkFinds(connection) {
      service.answers[recordsCheck] = () => {
        harness.connection = connection;
        return checked(harness);
      };
    },
    page: thePage,
    context: () => present(context),
    async begin() {
      await context?.close();
      context = await browser.newContext({ reducedMotion: "reduce" });
      page = await context.newPage();
      service.calls.length = 0;
      harness.connection = sampleConnection();
      script(harness);
    },
    async open(options = {}, path = "/") {
      await thePage().goto(service.url + path);
      const input = { applicationId, token: "first", brandName: "Acme", ...options };
      await thePage().evaluate(openRecording, input);
    },
    recordedEvents: () => thePage().evaluate(() => Reflect.get(window, "recordedEvents")),
    id: (name) => thePage().getByTestId(`svc-${name}`),
    step: (name) => thePage().locator(`[data-testid=svc-panel][data-step=${name}]`).waitFor(),
    async close() {
      await browser.close();
      await service.close();
    },
  };
  return harness;
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error("begin first");
  return value;
}

/** Runs in the page; `window.recordedEvents` collects events and callbacks. */
function openRecording(input: object): void {
  const recordedEvents: unknown[] = [];
  Object.assign(window, { recordedEvents });
  for (const name of ["svc:step", "svc:success", "svc:close", "svc:error"]) {
    window.addEventListener(name, (event) => {
      recordedEvents.push({ name, detail: Reflect.get(event, "detail") });
    });
  }
  const say = (name: string) => (detail: unknown) => recordedEvents.push({ name, detail });
  document.querySelector<HTMLElement>("#open")?.focus();
  const callbacks = { onSuccess: say("onSuccess"), onClose: say("onClose") };
  Object.assign(window, { handle: Reflect.get(window, "Svc").open({ ...callbacks, ...input }) });
}

const recordsCheck = "POST connections/{id}/records:check";

function checked({ connection }: Harness): FakeAnswer {
  return { body: sampleChecked(connection.state === "issuing_cert") };
}

function script(harness: Harness): void {
  const { answers } = harness.service;
  for (const key of Object.keys(answers)) delete answers[key];
  Object.assign(answers, {
    "GET widget/settings": () => ({ body: sampleSettings() }),
    "POST domains:check": () => ({ body: sampleCheck() }),
    "POST connections": () => ({ status: 201, body: harness.connection }),
    "GET connections/{id}": () => ({ body: harness.connection }),
    [recordsCheck]: () => checked(harness),
    "POST connections/{id}/records:apply": () => ({ body: samplePlan() }),
    "GET connections/{id}/diagnosis": () => ({ body: sampleDiagnosis() }),
  });
}
