import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { violations } from "@mooring/testing/browser/axe";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { proofVariants } from "@mooring/testing/processes/proof-size";
import type { Browser, Page } from "playwright-core";
import { buildSite } from "./site.ts";

const root = path.resolve(import.meta.dirname, "../..");
const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
};
/** As the API sends it, see api/assets/mount.ts. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'self'; " +
  "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** With the width at which each is read. */
const pages = [
  ["concepts", 1280],
  ["webhooks", 375],
  ["integrate", 375],
] as const;

describe("a page of the guide in a browser", () => {
  let server: Server;
  let browser: Browser;
  let base = "";
  const faults: string[] = [];

  before(async () => {
    const { files } = await buildSite(root);
    server = createServer((request, response) => {
      const name = (request.url ?? "").replace("/docs/", "").split("?")[0] ?? "";
      const content = files.get(name);
      const type = types[name.split(".").at(-1) ?? ""] ?? "text/plain; charset=utf-8";
      response.writeHead(content === undefined ? 404 : 200, {
        "content-type": type,
        "content-security-policy": policy,
      });
      response.end(content);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    server.close();
  });

  async function open(
    name: string,
    options: { readonly width?: number; readonly colorScheme?: "light" | "dark" } = {},
  ): Promise<Page> {
    const { width = 1280, colorScheme = "light" } = options;
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    // The browser reports what the policy blocks on the console.
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(`${name}: ${message.text()}`);
    });
    page.on("pageerror", (error) => faults.push(`${name}: ${error.message}`));
    await page.goto(`${base}/${name}.html`);
    return page;
  }

  for (const [index, [name, width]] of pages.entries()) {
    for (const colorScheme of proofVariants(["light", "dark"] as const, index)) {
      it(`is accessible: ${name}, ${colorScheme}, ${width} pixels wide`, async () => {
        const page = await open(name, { width, colorScheme });
        assert.deepEqual(await violations(page), []);
        const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert.ok(Number(over) <= 0, `the page is ${over} pixels too wide`);
        await page.close();
      });
    }
  }

  it("is searched with the keyboard only", async () => {
    const page = await open("index");
    await page.keyboard.press("/");
    await page.keyboard.type("rotate the root");
    await page.waitForSelector("#found a");
    assert.deepEqual(await violations(page), []);
    const selected = () => page.getAttribute("#search", "aria-activedescendant");
    assert.equal(await selected(), "found-0");
    await page.keyboard.press("ArrowDown");
    assert.equal(await selected(), "found-1");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${base}/operations.html#rotate-the-root-key`);
    await page.close();
  });

  it("reports when nothing is found, and closes on Escape", async () => {
    const page = await open("index");
    await page.click("#search");
    await page.keyboard.type("zyzzyva");
    await page.waitForSelector("text=Nothing found for “zyzzyva”.");
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Escape");
    assert.equal(await page.isVisible("#found"), false);
    await page.close();
  });

  it("shows one framework at a time, chosen once for the whole page and the next visit", async () => {
    const page = await open("integrate");
    const chosen = () => page.locator('[role="tab"][aria-selected="true"]').allTextContents();
    const shown = () => page.locator(".code[data-tab]:visible").count();
    assert.deepEqual(await chosen(), ["Next.js", "HTML", "Next.js", "Next.js"]);
    assert.equal(await shown(), 4);
    await page.getByRole("tab", { name: "Django" }).first().click();
    assert.deepEqual(await chosen(), ["Django", "HTML", "Django", "Django"]);
    assert.match(
      (await page.locator(".code:visible", { hasText: "def svc_token" }).textContent()) ?? "",
      /@never_cache/,
    );
    await page.keyboard.press("ArrowLeft");
    assert.deepEqual(await chosen(), ["Rails", "HTML", "Rails", "Rails"]);
    await page.reload();
    assert.deepEqual(await chosen(), ["Rails", "HTML", "Rails", "Rails"]);
    await page.close();
  });

  it("copies a block of code unchanged", async () => {
    const context = await browser.newContext({
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    await page.goto(`${base}/operations.html`);
    await page.hover(".code");
    await page.click(".code .copy");
    await page.waitForSelector(".copy:text('Copied')");
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), "mooring doctor");
    await context.close();
  });

  it("starts with its lists closed on a phone and open beside the text", async () => {
    const phone = await open("webhooks", { width: 375 });
    assert.equal(await phone.isVisible(".menu nav"), false);
    assert.equal(await phone.isVisible(".contents nav"), false);
    await phone.click(".menu summary");
    assert.equal(await phone.isVisible(".menu nav"), true);
    await phone.close();
    const wide = await open("webhooks");
    assert.equal(await wide.isVisible(".menu nav"), true);
    assert.equal(await wide.isVisible(".contents nav"), true);
    await wide.close();
  });

  it("does all of it under the policy that the API sends", () => {
    assert.deepEqual(faults, []);
  });
});
