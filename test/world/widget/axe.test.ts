import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "@mooring/testing/browser/axe";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { type FakeService, startFakeService } from "@mooring/testing/widget/fake-service";
import { productPage } from "@mooring/testing/widget/product-page";
import { showShot } from "@mooring/testing/widget/shot";
import { shots } from "@mooring/testing/widget/shots";
import type { Browser, Page } from "playwright-core";
import { buildWidget } from "../../../scripts/build/widget.ts";

/** With a scripted service, which can show every screen, also rare ones. */
describe("every screen of the widget", () => {
  let service: FakeService;
  let browser: Browser;
  let page: Page;
  before(async () => {
    await buildWidget();
    service = await startFakeService({
      "/": { html: productPage() },
      "/provider": { html: "<!doctype html><title>Provider</title>" },
    });
    browser = await launchChromium();
    page = await browser.newPage({ reducedMotion: "reduce" });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  for (const shot of shots) {
    it(`has no accessibility violation, light and dark: ${shot.name}`, async () => {
      await page.emulateMedia({ colorScheme: "light" });
      await showShot(page, service, shot);
      assert.deepEqual(await violations(page), []);
      // Nothing but colours is different there.
      await page.emulateMedia({ colorScheme: "dark" });
      assert.deepEqual(await violations(page, "color-contrast"), []);
    });
  }
});
