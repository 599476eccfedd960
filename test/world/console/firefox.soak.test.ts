import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { hostileTexts, type Stock, stockConsole } from "@mooring/testing/browser/console-stock";
import { consoleViews } from "@mooring/testing/browser/console-views";
import { type ConsoleWorld, startConsoleWorld } from "@mooring/testing/browser/console-world";
import { type Firefox, type FirefoxTab, launchFirefox } from "@mooring/testing/browser/firefox";

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

  /** Resolves with "true" once the expression is true in the page. */
  const settle = async (tab: FirefoxTab, expression: string) => {
    const result = await tab.evaluate(`new Promise((resolve) => {
      const startedAt = performance.now();
      const check = () => {
        const holds = Boolean(${expression});
        if (holds || performance.now() - startedAt > 60_000) resolve(String(holds));
        else setTimeout(check, 50);
      };
      check();
    })`);
    assert.equal(result, "true", expression);
  };
  /** The page of the link is below /console, too. */
  const signedIn = "/^.console.(test|live)/.test(location.pathname)";
  const has = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;

  it("signs in by link and shows every screen, with hostile texts as texts", async () => {
    const tab = await firefox.openTab();
    await tab.goto(await world.link("owner"));
    await tab.evaluate(`document.querySelector("form button").click()`);
    await settle(tab, signedIn);
    for (const { name, path, shows, opens, isOperators } of consoleViews(stock)) {
      if (isOperators) continue;
      await tab.goto(`${world.url}/console${path}`);
      if (opens !== undefined) {
        const { button, within } = opens;
        const part = within === undefined ? "" : `[aria-label=${JSON.stringify(within)}] `;
        const found = `[...document.querySelectorAll('${part}button')]
          .find(({ textContent }) => textContent.trim() === ${JSON.stringify(button)})`;
        await settle(tab, found);
        await tab.evaluate(`${found}.click()`);
      }
      await settle(tab, `${has(shows)} && !document.querySelector(".loading")`);
      assert.equal(await tab.evaluate("String(globalThis.pwned)"), "undefined", name);
      const harm = `document.querySelectorAll("[src=x], [onerror]").length`;
      assert.equal(await tab.evaluate(`String(${harm})`), "0", name);
    }
    await tab.close();
  });

  it("finds a domain by the keyboard", async () => {
    const tab = await firefox.openTab();
    await tab.goto(await world.link("viewer"));
    await tab.evaluate(`document.querySelector("form button").click()`);
    await settle(tab, signedIn);
    await tab.goto(`${world.url}/console/test/domains`);
    await settle(tab, has("blog.tide.test"));
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
