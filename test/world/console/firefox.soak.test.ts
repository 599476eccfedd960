import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { hasText, showViewInFirefox, signInByLink } from "@mooring/testing/browser/console-firefox";
import { hostileTexts, type Stock, stockConsole } from "@mooring/testing/browser/console-stock";
import { consoleViews } from "@mooring/testing/browser/console-views";
import { type ConsoleWorld, startConsoleWorld } from "@mooring/testing/browser/console-world";
import { type Firefox, launchFirefox } from "@mooring/testing/browser/firefox";
import { settle } from "@mooring/testing/browser/firefox-page";

/** The console in Firefox, an engine that the other tests do not use. */
describe("the console in Firefox", () => {
  let world: ConsoleWorld;
  let stock: Stock;
  let firefox: Firefox;

  before(async () => {
    world = await startConsoleWorld();
    stock = await stockConsole(world, hostileTexts);
    firefox = await launchFirefox();
  });
  after(async () => {
    await firefox?.close();
    await stock?.close();
    await world?.close();
  });

  it("signs in by link and shows every screen, with hostile texts as texts", async () => {
    const tab = await firefox.openTab();
    await signInByLink(tab, await world.link("owner"));
    for (const view of consoleViews(stock)) {
      if (view.isOperators) continue;
      await showViewInFirefox(tab, world.url, view);
      assert.equal(await tab.evaluate("String(globalThis.pwned)"), "undefined", view.name);
      const harm = `document.querySelectorAll("[src=x], [onerror]").length`;
      assert.equal(await tab.evaluate(`String(${harm})`), "0", view.name);
    }
    await tab.close();
  });

  it("finds a domain by the keyboard", async () => {
    const tab = await firefox.openTab();
    await signInByLink(tab, await world.link("viewer"));
    await tab.goto(`${world.url}/console/test/domains`);
    await settle(tab, hasText("blog.tide.test"));
    const press = (key: string) =>
      tab.evaluate(`document.body.dispatchEvent(new KeyboardEvent("keydown",
        { key: ${JSON.stringify(key)}, bubbles: true, cancelable: true }))`);
    await press("j");
    await settle(tab, `document.querySelector('tr[data-active="true"]')`);
    await press("Enter");
    await settle(tab, `document.querySelector('[aria-label="Diagnosis"]')`);
    await tab.close();
  });
});
