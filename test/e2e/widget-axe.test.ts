import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, productPage } from "../../packages/widget/test/support/browser.ts";
import {
  type FakeService,
  startFakeService,
} from "../../packages/widget/test/support/fake-service.ts";
import { showShot } from "../../packages/widget/test/support/shot.ts";
import { shots } from "../../packages/widget/test/support/shots.ts";
import { buildWidget } from "../../scripts/build/widget.ts";
import { violations } from "../support/axe.ts";

/** With a scripted service, which can show every screen, also rare ones. */
describe("every screen of the widget", { timeout: 900_000 }, () => {
  let service: FakeService;
  let browser: Browser;
  let page: Page;
  before(async () => {
    await buildWidget();
    service = await startFakeService({
      "/": { html: productPage() },
      "/provider": { html: "<!doctype html><title>Provider</title>" },
    });
    browser = await launchBrowser();
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
