import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "@mooring/testing/browser/axe";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { customerPageSettings, makeCustomerPages } from "@mooring/testing/browser/customer-pages";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, textOf } from "@mooring/testing/control/http";
import { until } from "@mooring/testing/processes/until";
import type { Browser, BrowserContextOptions } from "playwright-core";

/** The page for a customer's IT person, in a real browser. */
describe("the shared page in a browser", () => {
  let app: TestApp;
  let browser: Browser;
  let key = "";
  let url = "";
  let challenge = "";
  const zone = "share-page.test";

  before(async () => {
    app = await startTestApp(customerPageSettings);
    key = (await app.tenant("Acme")).keys.test;
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Shop" } });
    const body = { application_id: textOf(made, "id"), hostname: `shop.${zone}` };
    const connection = await call(app.api.url, "/v1/connections", { key, body });
    challenge = /service-verify=[\w-]+/.exec(connection.text)?.[0] ?? "";
    const path = `/v1/connections/${textOf(connection, "id")}/share`;
    const link = await call(app.api.url, path, { key, method: "POST" });
    url = app.api.url + new URL(textOf(link, "url")).pathname;
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    await app.close();
  });

  /** Opens the page and records its requests and errors. */
  async function open(options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(url);
    return { page, asked, complaints, close: () => context.close() };
  }

  it("is readable and refreshes itself without scripts", async () => {
    const { page, asked, complaints, close } = await open({ javaScriptEnabled: false });
    assert.equal(await page.getByText(challenge, { exact: true }).count(), 1);
    assert.equal(await page.getByRole("button").count(), 0);
    assert.match(await page.content(), /http-equiv="refresh" content="30"/);
    assert.ok(asked.every((one) => one.startsWith(app.api.url)));
    assert.deepEqual(complaints, []);
    await close();
  });

  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [375, 1280]) {
      it(`has no accessibility violation and no sideways scrolling, ${colorScheme}, ${width} px`, async () => {
        const { page, close } = await open({ colorScheme, viewport: { width, height: 800 } });
        assert.deepEqual(await violations(page), []);
        const overhang = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert.ok(Number(overhang) <= 0, `${overhang} px`);
        await close();
      });
    }
  }

  it("fits the width in every situation and language, as do the status and removal pages", async () => {
    const pages = await makeCustomerPages(app);
    const context = await browser.newContext({ reducedMotion: "reduce" });
    const page = await context.newPage();
    for (const { name, url: address } of pages) {
      for (const language of ["en", "de", "ja", "ar"]) {
        await page.emulateMedia({ colorScheme: "light" });
        await page.goto(`${address}?lang=${language}`);
        for (const width of [1280, 375]) {
          await page.setViewportSize({ width, height: 800 });
          const overhang = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
          assert.ok(Number(overhang) <= 0, `${name}, ${language}, ${width} px: ${overhang} px`);
        }
      }
      // The last one is the mirrored one.
      assert.deepEqual(await violations(page), [], name);
      await page.emulateMedia({ colorScheme: "dark" });
      assert.deepEqual(await violations(page, "color-contrast"), [], `${name}, dark`);
    }
    await context.close();
  });

  it("copies exactly the value, and shows a new record without a reload", async () => {
    const { page, complaints, close } = await open({
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.clock.install();
    await page.reload();
    await page.getByRole("button", { name: "Copy Value (TXT)" }).click();
    const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
    await until(async () => (await copied()) === challenge, "the copied value");
    await call(app.api.url, `/v1/sandbox/zones/${zone}/records`, {
      key,
      method: "PUT",
      body: { records: [{ host: "_service-challenge.shop", type: "TXT", value: challenge }] },
    });
    const chip = page.locator(".chip").first();
    assert.equal(await chip.textContent(), "Not there yet");
    // Moves the clock of the page to its next refresh; the server's last check is old enough by
    // then.
    while ((await chip.textContent()) !== "Found") {
      await page.clock.runFor(15_000);
      await page.waitForTimeout(200);
    }
    assert.deepEqual(complaints, []);
    await close();
  });
});
