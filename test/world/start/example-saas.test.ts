import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { violations } from "@mooring/testing/browser/axe";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { freshZone } from "@mooring/testing/clients/connecting";
import {
  type ExampleWorld,
  type RunningExample,
  startExampleWorld,
} from "@mooring/testing/clients/example-world";
import { until } from "@mooring/testing/processes/until";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { buildWidget } from "../../../scripts/build/widget.ts";

const example = path.resolve(import.meta.dirname, "../../../examples/saas");

/** The bundle of its own build command, with the widget that the package of that name contains. */
async function buildPages(): Promise<void> {
  const { outDir } = await buildWidget();
  await build({
    entryPoints: ["web/app.tsx", "web/app.css"].map((file) => path.join(example, file)),
    outdir: path.join(example, "dist"),
    bundle: true,
    format: "esm",
    jsx: "automatic",
    alias: { "@mooring/widget": path.join(outDir, "widget.mjs") },
    define: { "process.env.NODE_ENV": '"production"' },
  });
}

describe("the example of a whole product", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "mooring-saas-"));
  const hostname = `shop.${freshZone()}`;
  let world: ExampleWorld;
  let running: RunningExample;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  before(async () => {
    await buildPages();
    world = await startExampleWorld();
    running = await world.run({
      folder: "saas",
      command: [process.execPath, "server/main.ts"],
      env: { DATABASE_FILE: path.join(folder, "saas.db") },
    });
    browser = await launchChromium();
    page = await openPage();
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (/content security policy/i.test(message.text())) faults.push(message.text());
    });
  });
  after(async () => {
    await browser.close();
    await running.stop();
    await world.close();
    rmSync(folder, { recursive: true });
  });

  async function openPage(): Promise<Page> {
    const context = await browser.newContext();
    return context.newPage();
  }

  async function signUp(at: Page, shop: string): Promise<void> {
    await at.goto(running.url);
    await at.getByLabel("Name of the shop").fill(shop);
    await at.getByLabel("E-mail").fill(`${shop.toLowerCase()}@example.com`);
    await at.getByLabel("Password").fill("a long password");
    await at.getByRole("button", { name: "Sign up" }).click();
    await at.getByRole("heading", { name: "Your domains" }).waitFor();
  }

  it("goes from sign-up by the widget to a live domain that shows the customer's shop", async () => {
    await signUp(page, "Florist");
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Connect a domain" }).click();
    await page.getByTestId("svc-domain").fill(hostname);
    await page.getByTestId("svc-domain").press("Enter");
    await page.getByTestId("svc-continue").click();
    const token = page.getByTestId("svc-field-token");
    await token.fill("sandbox");
    await token.press("Enter");
    await page.getByTestId("svc-apply").click();
    await page.getByRole("heading", { name: `${hostname} is live` }).waitFor();
    await page.getByTestId("svc-done").click();
    await page.locator("li", { hasText: hostname }).getByText("Live").waitFor();
    const picture = process.env["SAAS_PICTURE"];
    if (picture !== undefined) await page.screenshot({ path: picture });
    const served = await world.page(hostname);
    assert.equal(served.status, 200, running.output());
    assert.match(served.body, /<h1>Florist<\/h1>/);
    assert.ok(served.body.includes(`Welcome to ${hostname}.`));
    assert.deepEqual(faults, []);
  });

  it("shows a customer's domains to nobody else, and lets nobody else disconnect them", async () => {
    const ids = async (of: Page): Promise<readonly string[]> =>
      of.evaluate(
        "fetch('/api/domains').then((a) => a.json()).then((all) => all.map(({ id }) => id))",
      );
    const [id] = await ids(page);
    assert.ok(id);
    const other = await openPage();
    await signUp(other, "Butcher");
    assert.deepEqual(await ids(other), []);
    const remove = (of: Page) =>
      of.evaluate(`fetch('/api/domains/${id}', { method: 'DELETE' }).then((a) => a.status)`);
    assert.equal(await remove(other), 404);
    assert.equal((await fetch(`${running.url}/api/domains`)).status, 401);
    assert.equal((await fetch(`${running.url}/api/svc-token`)).status, 401);
  });

  it("refuses a webhook and an assertion that the service did not sign", async () => {
    const headers = { "x-svc-timestamp": "1", "x-svc-signature": `sha256=${"0".repeat(64)}` };
    const forged = { method: "POST", headers, body: "{}" };
    assert.equal((await fetch(`${running.url}/webhooks`, forged)).status, 400);
    const asserted = { headers: { "x-svc-assertion": "e30.e30.AAAA" } };
    assert.equal((await fetch(running.url, asserted)).status, 403);
  });

  it("forgets a domain that its customer disconnects, and the edge stops serving it", async () => {
    await page.getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("Your shop has no domain of its own yet.").waitFor();
    const isGone = () =>
      world.page(hostname).then(
        () => false,
        () => true,
      );
    await until(isGone, "the end of the edge's service for it");
  });
});
