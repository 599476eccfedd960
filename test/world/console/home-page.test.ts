import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "@mooring/testing/browser/axe";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, codeOf, textOf } from "@mooring/testing/control/http";
import { proofVariants } from "@mooring/testing/processes/proof-size";
import type { Browser } from "playwright-core";
import { setTenantPlan } from "../../../packages/control/src/services/operator/tenants.ts";

describe("the pages at the API's own address, in a browser", () => {
  let app: TestApp;
  let browser: Browser;
  before(async () => {
    app = await startTestApp({ DEMO_URL: "http://127.0.0.1:9/", DNS_RESOLVERS: "127.0.0.1:1" });
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    await app.close();
  });

  for (const [index, path] of ["/", "/billing"].entries()) {
    for (const [turn, width] of [375, 1280].entries()) {
      for (const colorScheme of proofVariants(["light", "dark"] as const, index + turn)) {
        it(`${path} is accessible, fits and breaks no policy, ${colorScheme}, ${width} px`, async () => {
          const viewport = { width, height: 800 };
          const context = await browser.newContext({ colorScheme, viewport });
          const page = await context.newPage();
          const complaints: string[] = [];
          page.on("console", (message) => complaints.push(message.text()));
          page.on("requestfailed", (request) => complaints.push(request.url()));
          const answer = await page.goto(app.api.url + path);
          assert.equal(answer?.status(), 200);
          assert.match(answer?.headers()["content-security-policy"] ?? "", /^default-src 'none'/);
          assert.equal(await page.locator("h1").count(), 1);
          assert.deepEqual(await violations(page), []);
          const overhang = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
          assert.ok(Number(overhang) <= 0, `${overhang} px`);
          assert.deepEqual(complaints, []);
          await context.close();
        });
      }
    }
  }

  it("leads to the reference and the demo, and to nothing that is not there", async () => {
    const page = await browser.newPage();
    await page.goto(`${app.api.url}/`);
    const links = await page
      .locator("main a")
      .evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    assert.deepEqual(links, ["docs", "demo"], "no guide is built here, and there is no console");
    for (const link of links) {
      const answer = await fetch(`${app.api.url}/${link}`, { redirect: "manual" });
      assert.ok(answer.status === 200 || answer.status === 302, `${link}: ${answer.status}`);
    }
    await page.close();
  });

  it("is where a used-up plan leads, and says who can change it", async () => {
    const { keys, tenant } = await app.tenant("Small");
    await setTenantPlan(app.operator, tenant.id, "free");
    const key = keys.live;
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Shop" } });
    const create = (index: number) =>
      call(app.api.url, "/v1/connections", {
        key,
        body: { application_id: textOf(made, "id"), hostname: `h${index}.small.example` },
      });
    let answer = await create(0);
    for (let index = 1; answer.status === 201; index += 1) answer = await create(index);
    assert.deepEqual([answer.status, codeOf(answer)], [402, "QuotaExceeded"], answer.text);
    const { pathname } = new URL(textOf(answer, "upgrade_url"));
    const page = await call(app.api.url, pathname);
    assert.equal(page.status, 200);
    assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
    assert.match(page.text, /mooring tenants set-plan/);
  });
});
