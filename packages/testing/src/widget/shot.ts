import type { ConnectionDetail, DomainCheck } from "@mooring/sdk";
import type { FakeService } from "./fake-service.ts";
import {
  applicationId,
  connectionId,
  sampleCheck,
  sampleChecked,
  sampleConnection,
  sampleDiagnosis,
  sampleEmail,
  samplePlan,
  sampleSending,
  sampleSettings,
} from "./samples.ts";

/** What reaches a screen: Playwright's page has it, and so has a tab of Firefox. */
export interface ShotPage {
  url(): string;
  goto(url: string): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
  getByTestId(id: string): ShotLocator;
  locator(selector: string): ShotLocator;
}

export interface ShotLocator {
  first(): ShotLocator;
  locator(selector: string): ShotLocator;
  click(): Promise<void>;
  fill(text: string): Promise<void>;
  check(): Promise<void>;
  waitFor(options?: { readonly state?: "visible" | "detached" }): Promise<void>;
}

/** One screen and how to reach it. */
export interface Shot {
  readonly name: string;
  readonly options?: object;
  readonly check?: Partial<DomainCheck>;
  readonly connection?: Partial<ConnectionDetail>;
  readonly answers?: (service: FakeService) => void;
  readonly go?: (page: ShotPage) => Promise<void>;
}

export const press = async (page: ShotPage, ...ids: readonly string[]) => {
  for (const id of ids) await page.getByTestId(`svc-${id}`).first().click();
};
export const enter = async (page: ShotPage) => {
  await page.getByTestId("svc-domain").fill("shop.acme.com");
  await press(page, "continue");
};
export const resume = { connectionId };

/**
 * Scripts the service for the shot, opens the widget, and goes to the shot's screen. A page that
 * shows one already closes it and stays.
 */
export async function showShot(page: ShotPage, service: FakeService, shot: Shot): Promise<void> {
  script(service, shot);
  if (!page.url().startsWith(service.url)) await page.goto(service.url);
  const options = { applicationId, token: "t", brandName: "Acme Shops", ...shot.options };
  await page.evaluate("window.shown?.close()");
  await page.getByTestId("svc-panel").waitFor({ state: "detached" });
  await page.evaluate(`void (window.shown = Svc.open(${JSON.stringify(options)}))`);
  await page.getByTestId("svc-panel").waitFor();
  await shot.go?.(page);
  await page.getByTestId("svc-title").first().waitFor();
}

function script(service: FakeService, shot: Shot): void {
  for (const key of Object.keys(service.answers)) delete service.answers[key];
  const connection = sampleConnection(shot.connection);
  Object.assign(service.answers, {
    "GET widget/settings": () => ({ body: sampleSettings() }),
    "POST domains:check": () => ({
      body: sampleCheck({ domain: connection.hostname, ...shot.check }),
    }),
    "POST connections": () => ({ status: 201, body: connection }),
    "GET connections/{id}": () => ({ body: connection }),
    "POST connections/{id}/records:check": () => ({ body: sampleChecked(false) }),
    "POST connections/{id}/records:apply": () => ({ body: samplePlan() }),
    "GET connections/{id}/diagnosis": () => ({ body: sampleDiagnosis() }),
    "POST connections/{id}/email:apply": () => ({ body: sampleEmail() }),
    "POST connections/{id}/sending:apply": () => ({ body: sampleSending() }),
    "POST connections/{id}/share": () => ({
      body: {
        url: "https://connect.acme.example/share/7hG2kQ9x",
        expires_at: "2026-11-22T05:00:00.000Z",
      },
    }),
  });
  shot.answers?.(service);
}
