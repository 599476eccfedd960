import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "@mooring/testing/browser/axe";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { proofVariants } from "@mooring/testing/processes/proof-size";
import { type FakeService, startFakeService } from "@mooring/testing/widget/fake-service";
import { productPage } from "@mooring/testing/widget/product-page";
import { showShot } from "@mooring/testing/widget/shot";
import { shots } from "@mooring/testing/widget/shots";
import type { Browser, Page } from "playwright-core";
import { buildWidget } from "../../../scripts/build/widget.ts";

const usual = { width: 1_280, height: 720 };
const viewports = [
  [1_280, 800, { x: 370, y: 70, width: 540, height: 660 }],
  [1_280, 500, { x: 370, y: 24, width: 540, height: 452 }],
  [375, 700, { x: 0, y: 0, width: 375, height: 700 }],
] as const;

/** What does not fit scrolls inside the content; header and actions stay in view. */
function cutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const root = document.querySelector("[data-svc-widget]")?.shadowRoot;
    const panel = root?.querySelector(".panel");
    const box = panel?.getBoundingClientRect();
    if (!root || !panel || !box) return ["no panel"];
    const content = root.querySelector(".content");
    const parts = [...root.querySelectorAll(".main > .header, .screen .actions, .screen .close")];
    const outside = parts.filter((part) => {
      const { top, bottom } = part.getBoundingClientRect();
      return top < box.top || bottom > box.bottom + 0.5;
    });
    const isSideways = content !== null && content.scrollWidth > content.clientWidth;
    return [...outside.map((part) => part.className), ...(isSideways ? ["sideways"] : [])];
  });
}

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

  for (const [index, shot] of shots.entries()) {
    // Both take their colours from the same few tokens: the short form alternates.
    for (const colorScheme of proofVariants(["light", "dark"] as const, index)) {
      it(`has its size and position and passes axe, ${colorScheme}: ${shot.name}`, async () => {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(usual);
        await showShot(page, service, shot);
        assert.deepEqual(await violations(page), []);
        for (const [width, height, expected] of proofVariants(viewports, index)) {
          await page.setViewportSize({ width, height });
          const box = await page.getByTestId("svc-panel").boundingBox();
          assert.deepEqual(box, expected, `${width} × ${height}`);
          assert.deepEqual(await cutOff(page), [], `${width} × ${height}`);
        }
      });
    }
  }
});
