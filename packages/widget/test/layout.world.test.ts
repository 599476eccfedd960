import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { proofVariants } from "@mooring/testing/processes/proof-size";
import { type FakeService, startFakeService } from "@mooring/testing/widget/fake-service";
import { productPage } from "@mooring/testing/widget/product-page";
import { showShot } from "@mooring/testing/widget/shot";
import { shots } from "@mooring/testing/widget/shots";
import { customerToken, listing } from "@mooring/testing/widget/shots-domains";
import type { Browser, Page } from "playwright-core";
import { buildWidget } from "../../../scripts/build/widget.ts";
import { servedLocales } from "../src/locales/messages.ts";
import { contrast, parseComputed } from "../src/theme.ts";

const themes = [
  {},
  { accentColor: "#ffd400", background: "#1b1033" },
  { accentColor: "#0a7d3c", background: "#8a8a8a", foreground: "#000000" },
];

describe("the widget's dialog", () => {
  let service: FakeService;
  let browser: Browser;
  before(async () => {
    await buildWidget();
    service = await startFakeService({
      "/": { html: productPage() },
      "/provider": { html: "<!doctype html><title>Provider</title>" },
    });
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  it("has all actions of a step on one row, in every language", async () => {
    const page = await browser.newPage({ reducedMotion: "reduce" });
    const busy = shots.filter(({ name }) => /^(12-token|19-manual-guided|43-sending)/.test(name));
    for (const [index, locale] of ["en", ...servedLocales].entries()) {
      for (const shot of proofVariants(busy, index)) {
        await showShot(page, service, { ...shot, options: { ...shot.options, locale } });
        await page.locator(".actions > :nth-child(3)").waitFor();
        const tops = await page.getByTestId("svc-panel").evaluate((panel) =>
          [...panel.querySelectorAll(".actions > *")].map((one) => {
            const { top, bottom } = one.getBoundingClientRect();
            return Math.round((top + bottom) / 2);
          }),
        );
        assert.equal(new Set(tops).size, 1, `${shot.name}, ${locale}: ${tops}`);
      }
    }
    await page.close();
  });

  for (const [index, theme] of themes.entries()) {
    for (const colorScheme of proofVariants(["light", "dark"] as const, index)) {
      it(`disconnects with a red button that can be read, ${colorScheme}, ${JSON.stringify(theme)}`, async () => {
        const page = await browser.newPage({ colorScheme, reducedMotion: "reduce" });
        await showShot(page, service, {
          name: "domains",
          options: { token: customerToken, theme },
          answers: (fake) => listing(fake),
          go: (one) => one.getByTestId("svc-domains").waitFor(),
        });
        const asking = await colours(page, "svc-remove-domain");
        assert.ok(contrast(asking.text, asking.ground) >= 4.5, JSON.stringify(asking));
        await page.getByTestId("svc-remove-domain").first().click();
        const { text, ground } = await colours(page, "svc-remove-confirm");
        const [red, green, blue] = ground;
        assert.ok(red > 0.6 && green < 0.3 && blue < 0.3, `${ground} is red`);
        assert.ok(contrast(text, ground) >= 4.5, `${text} on ${ground}`);
        await page.close();
      });
    }
  }

  /** Of the text, and of what is behind it. */
  async function colours(page: Page, id: string) {
    const [text, ground] = await page
      .getByTestId(id)
      .first()
      .evaluate((button) => {
        let behind: Element | null = button;
        while (behind && /, 0\)$/.test(getComputedStyle(behind).backgroundColor)) {
          behind = behind.parentElement;
        }
        return [
          getComputedStyle(button).color,
          behind === null ? "" : getComputedStyle(behind).backgroundColor,
        ];
      });
    const parsed = [text, ground].map((colour) => parseComputed(colour ?? ""));
    const [one, other] = parsed;
    assert.ok(one && other, `${text} on ${ground}`);
    return { text: one, ground: other };
  }
});
