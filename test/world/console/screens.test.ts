import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "@mooring/testing/browser/axe";
import { hostileTexts, type Stock, stockConsole } from "@mooring/testing/browser/console-stock";
import { consoleViews, showView, type View } from "@mooring/testing/browser/console-views";
import {
  type ConsoleWorld,
  startConsoleWorld,
  type Visit,
} from "@mooring/testing/browser/console-world";
import { proofVariants } from "@mooring/testing/processes/proof-size";
import type { Page } from "playwright-core";

const desktop = { width: 1_280, height: 900 };
const phone = { width: 375, height: 760 };
const schemes = ["light", "dark"] as const;

/** What does not fit a phone: the page, and the current tab two frames after the change of size. */
async function overflows(page: Page): Promise<readonly string[]> {
  await page.setViewportSize(phone);
  const ends = await page.evaluate<readonly [string, number][]>(`new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  }).then(() => [
    ["page", document.documentElement.scrollWidth],
    ["current tab",
      document.querySelector('.tabs [aria-current="page"]')?.getBoundingClientRect().right ?? 0],
  ])`);
  return ends
    .filter(([, end]) => end > phone.width)
    .map(([what, end]) => `the ${what} ends at ${end} pixels`);
}

/** Every screen, with the texts of people who mean harm in all of them. */
describe("the screens of the console", () => {
  let world: ConsoleWorld;
  let stock: Stock;
  let member: Visit;
  let operator: Visit;

  before(async () => {
    world = await startConsoleWorld();
    stock = await stockConsole(world, hostileTexts);
    member = await world.signIn("owner");
    await member.open("/test/settings");
    operator = await world.signInOperator();
  });
  after(async () => {
    await stock?.close();
    await world?.close();
  });

  const show = async (view: View): Promise<Visit> => {
    const visit = view.isOperators ? operator : member;
    await visit.page.setViewportSize(desktop);
    await showView(visit, view);
    return visit;
  };

  it("show hostile texts as texts, load nothing from elsewhere, pass axe and fit a phone", async (test) => {
    let shown = 0;
    const faults: unknown[] = [];
    for (const [index, view] of consoleViews(stock).entries()) {
      const { page, problems } = await show(view);
      assert.equal(await page.evaluate("globalThis.pwned"), undefined, view.name);
      const harm = page.locator("[src=x], [onerror], [href^=javascript]");
      assert.equal(await harm.count(), 0, view.name);
      shown += await page.getByText("globalThis.pwned").count();
      // Both colour schemes take their colours from the same few tokens: the short form alternates.
      for (const colorScheme of proofVariants(schemes, index)) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        for (const fault of await violations(page)) faults.push([view.name, colorScheme, fault]);
      }
      for (const fault of await overflows(page)) faults.push([view.name, fault]);
      assert.deepEqual(problems, [], view.name);
    }
    assert.deepEqual(faults, []);
    test.diagnostic(`hostile texts shown: ${shown}`);
    assert.ok(shown >= 8, `only ${shown} hostile texts were on the screens`);
  });
});
