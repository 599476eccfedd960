import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Firefox,
  type FirefoxTab,
  keys,
  launchFirefox,
} from "@mooring/testing/browser/firefox";
import { asPage, settle } from "@mooring/testing/browser/firefox-page";
import { type FakeService, startFakeService } from "@mooring/testing/widget/fake-service";
import { productPage } from "@mooring/testing/widget/product-page";
import { type Shot, type ShotPage, showShot } from "@mooring/testing/widget/shot";
import { shots } from "@mooring/testing/widget/shots";
import { buildWidget } from "../../../scripts/build/widget.ts";

const sizes = [
  [375, 760],
  [768, 860],
  [1_280, 860],
] as const;
const languages = ["en", "de", "ja", "ar"] as const;
const colorSchemes = ["light", "dark"] as const;

const root = `document.querySelector("[data-svc-widget]").shadowRoot`;

/** What is wider than its container: the page, and every part of the widget that may scroll. */
const sideways = `JSON.stringify([document.documentElement, ...${root}.querySelectorAll("*")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .filter((one) => one === document.documentElement
    || ["auto", "scroll"].includes(getComputedStyle(one).overflowX))
  .map((one) => one.tagName + "." + one.className + " " + one.scrollWidth + " > " + one.clientWidth))`;

/** Every visible text of the widget. */
const texts = `(() => {
  const walker = document.createTreeWalker(${root}, NodeFilter.SHOW_TEXT);
  const found = new Set();
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (parentElement?.closest("style, code, .record-line") == null && parentElement?.checkVisibility()) {
      found.add(textContent.trim());
    }
  }
  return JSON.stringify([...found]);
})()`;

/** The screens of the widget in an engine that the other tests do not use. */
describe("the widget in Firefox", () => {
  let service: FakeService;
  before(async () => {
    await buildWidget();
    service = await startFakeService({
      "/": { html: productPage() },
      "/provider": { html: "<!doctype html><title>Provider</title>" },
    });
  });
  after(() => service?.close());

  for (const colorScheme of colorSchemes) {
    describe(`in ${colorScheme} colours`, () => {
      let firefox: Firefox;
      let tab: FirefoxTab;
      let page: ShotPage;
      const english = new Map<string, ReadonlySet<string>>();
      before(async () => {
        firefox = await launchFirefox({ colorScheme });
        tab = await firefox.openTab();
        page = asPage(tab);
      });
      after(() => firefox?.close());

      for (const locale of languages) {
        it(`fits every width, and has no English left, in ${locale}`, async () => {
          const wrong: string[] = [];
          for (const shot of shots) wrong.push(...(await inspect(shot, locale)));
          assert.deepEqual(wrong, []);
        });
      }

      async function reach(shot: Shot, locale: string): Promise<void> {
        await tab.resize(...sizes[0]);
        const options = { ...shot.options, locale };
        await showShot(page, service, { ...shot, options });
        const isLoading = `${root}.querySelector("[data-testid=svc-checking]") !== null`;
        if (shot.name !== "04-checking") await settle(tab, `!(${isLoading})`);
      }

      async function inspect(shot: Shot, locale: string): Promise<readonly string[]> {
        await reach(shot, locale);
        const shown: readonly string[] = JSON.parse(await tab.evaluate(texts));
        if (locale === "en") english.set(shot.name, new Set(shown));
        const wrong = locale === "en" ? [] : [...leftIn(shown, english.get(shot.name), shot)];
        for (const [width, height] of sizes) {
          await tab.resize(width, height);
          const wide: readonly string[] = JSON.parse(await tab.evaluate(sideways));
          wrong.push(...wide.map((one) => `${shot.name} at ${width}: ${one}`));
        }
        return wrong;
      }

      it("is used by the keyboard alone, which does not leave it, and gives the focus back", async () => {
        await tab.resize(...sizes[2]);
        await showShot(page, service, { name: "keyboard" });
        await settle(tab, `${root}.activeElement?.dataset.testid === "svc-domain"`);
        await tab.press(..."shop.acme.com", keys.enter);
        await page.getByTestId("svc-provider").waitFor();
        await tabTo("continue");
        await tab.press(keys.enter);
        await page.getByTestId("svc-credential-form").waitFor();
        await tabTo("field-api_token");
        await tab.press(..."cf-secret", keys.enter);
        await page.getByTestId("svc-plan").waitFor();
        await tabTo("apply");
        await tab.press(keys.escape);
        await page.getByTestId("svc-overlay-exit").waitFor();
        await tabTo("exit-leave");
        await tab.press(keys.enter);
        await page.getByTestId("svc-panel").waitFor({ state: "detached" });
      });

      async function tabTo(id: string): Promise<void> {
        for (let press = 0; press < 40; press += 1) {
          const focused = await tab.evaluate(`${root}.activeElement?.dataset.testid ?? ""`);
          if (focused === `svc-${id}`) return;
          await tab.press(keys.tab);
          const isInside = `document.activeElement?.hasAttribute("data-svc-widget")`;
          assert.equal(await tab.evaluate(`String(${isInside})`), "true", "the focus stays inside");
        }
        assert.fail(`${id} cannot be reached with Tab`);
      }
    });
  }
});

/** Names of products. */
const names = new Set([
  "Google Workspace",
  "Amazon SES",
  "Zoho Mail",
  "Acme Shops",
  "Acme application",
]);

/** The English sentences that another language shows, too. */
function leftIn(
  shown: readonly string[],
  english: ReadonlySet<string> | undefined,
  { name }: Shot,
): readonly string[] {
  return shown
    .filter(
      (text) => english?.has(text) === true && /[a-z]+ [a-z]+/i.test(text) && !names.has(text),
    )
    .map((text) => `${name} in English: ${text}`);
}
