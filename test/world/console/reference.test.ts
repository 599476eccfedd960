import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { violations } from "@mooring/testing/browser/axe";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { proofVariants } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import fastify, { type FastifyInstance } from "fastify";
import type { Browser, Page } from "playwright-core";
import { mountDocs } from "../../../packages/control/src/api/docs/mount.ts";

interface Operation {
  readonly operationId?: string;
  readonly summary: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const file = new URL("../../../packages/sdk/openapi.json", import.meta.url);
const document = JSON.parse(readFileSync(file, "utf8")) as Document;

function summaries(group: Document["paths"]): readonly string[] {
  return Object.values(group).flatMap((item) => Object.values(item).map(({ summary }) => summary));
}

const widths = [1280, 375];
const schemes = ["light", "dark"] as const;

describe("the API reference in a browser", () => {
  let app: FastifyInstance;
  let browser: Browser;
  let base = "";
  const faults: string[] = [];
  const received: { readonly authorization: string | undefined; readonly body: unknown }[] = [];

  before(async () => {
    app = fastify();
    mountDocs(app, () => document);
    app.post("/v1/connections", (request, reply) => {
      received.push({ authorization: request.headers.authorization, body: request.body });
      return reply.code(201).send({ hostname: "answered-by-the-server.example" });
    });
    base = await app.listen({ host: "127.0.0.1", port: 0 });
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    await app.close();
  });

  async function open(width = 1280, colorScheme: "light" | "dark" = "light"): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    // The browser reports what the policy blocks on the console.
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(base)) faults.push(`request to ${request.url()}`);
    });
    await page.goto(`${base}/docs`);
    await page.getByRole("heading", { name: "Mooring", exact: true }).waitFor();
    await page.locator("#operations").waitFor({ state: "detached" });
    return page;
  }

  for (const [index, width] of widths.entries()) {
    for (const colorScheme of proofVariants(schemes, index)) {
      it(`lists every operation while its renderer is not there: ${colorScheme}, ${width}`, async () => {
        const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
        const held = Promise.withResolvers<void>();
        let paintsBefore = 0;
        await page.route("**/docs/scalar.js", async (route) => {
          paintsBefore = Number(
            await page.evaluate("performance.getEntriesByType('paint').length"),
          );
          await held.promise;
          await route.continue();
        });
        await page.goto(`${base}/docs`);
        const list = page.locator("#operations");
        await list.getByText("are being loaded").waitFor();
        const text = ((await list.textContent()) ?? "").replaceAll(/\s+/g, " ");
        const events = Object.keys(document.webhooks);
        for (const one of [
          ...summaries(document.paths),
          ...Object.keys(document.paths),
          ...events,
        ]) {
          assert.ok(text.includes(one), one);
        }
        const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert.ok(Number(over) <= 0, `the page is ${over} pixels too wide`);
        assert.deepEqual(await violations(page), []);
        // Who reads on is led to the same operation when the reference is there.
        await page.evaluate(
          "scrollTo(0, document.getElementById('tag/webhooks/post_webhook_endpoints').offsetTop - 60)",
        );
        held.resolve();
        await list.waitFor({ state: "detached" });
        assert.ok(paintsBefore > 0, "the renderer was loaded before the first paint");
        assert.match(page.url(), /#tag\/webhooks\/post_webhook_endpoints$/);
        await page.locator("section[id$='/post_webhook_endpoints']").first().waitFor();
        await page.close();
      });
    }

    for (const colorScheme of proofVariants(schemes, index + 1)) {
      it(`fits its window and is accessible: ${colorScheme}, ${width} pixels wide`, async () => {
        const page = await open(width, colorScheme);
        await page.getByText("Repeating a request").first().waitFor();
        const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert.ok(Number(over) <= 0, `the page is ${over} pixels too wide`);
        const [red = 0] =
          String(await page.evaluate("getComputedStyle(document.body).backgroundColor"))
            .match(/\d+/g)
            ?.map(Number) ?? [];
        assert.equal(red < 128, colorScheme === "dark");
        // Scalar draws its menu buttons without a name, and has no setting for it.
        const found = width === 1280 ? await violations(page) : [];
        const others = found.filter((one) => !JSON.stringify(one).startsWith('["button-name"'));
        assert.deepEqual(others, []);
        await page.close();
      });
    }
  }

  it("lists every operation, every event and every address of the first list", async () => {
    const answer = await fetch(`${base}/docs`);
    const anchors = [...(await answer.text()).matchAll(/<li id="([^"]+)"/g)].map(([, id]) => id);
    assert.ok(anchors.length > 100);
    const page = await open();
    const closed = page.locator("aside button[aria-expanded=false]");
    while ((await closed.count()) > 0) await closed.first().click();
    const listed = (await page.locator("aside").first().textContent()) ?? "";
    for (const summary of [...summaries(document.paths), ...summaries(document.webhooks)]) {
      assert.ok(listed.includes(summary), summary);
    }
    const links = await page
      .locator("aside a[href]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    assert.deepEqual(
      anchors.filter((id) => !links.includes(`#${id}`)),
      [],
    );
    await page.close();
  });

  it("says what failed, and still lists the operations", async () => {
    const page = await browser.newPage();
    await page.route("**/docs/scalar.js", (route) => route.fulfill({ status: 404 }));
    await page.goto(`${base}/docs`);
    await page.getByRole("alert").getByText("docs/scalar.js was not loaded").waitFor();
    assert.equal(await page.locator("#loading").isVisible(), false);
    assert.ok((await page.locator("#operations li").count()) > 100);
    await page.close();
  });

  it("finds an operation by the keyboard and shows an answer and the SDK's call", async () => {
    const page = await open();
    // What is typed before the field has the focus is lost.
    await until(async () => {
      await page.keyboard.press("Control+k");
      const focused = "document.activeElement?.matches('input')";
      return page.waitForFunction(focused, undefined, { timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    }, "the search field");
    await page.keyboard.type("start connecting a domain");
    const found = page.getByRole("option", { name: /Start connecting a domain ?,/ }).first();
    await found.waitFor();
    while ((await found.getAttribute("aria-selected")) !== "true") {
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Enter");
    await page.waitForURL(/#.*\/post_connections$/);
    const section = page.locator("section[id$='/post_connections']");
    await section.getByText("ownership_challenge").first().waitFor();
    await section.getByRole("button", { name: /Curl/ }).first().click();
    await page.getByRole("option", { name: "Mooring SDK" }).first().click();
    await section.getByText('mooring.call("post_connections"').first().waitFor();
    await page.close();
  });

  it("sends a request to this server and shows its answer", async () => {
    const page = await open();
    await page.getByLabel("Bearer Token").first().fill("sk_test_key");
    // An operation is rendered when it comes into view.
    await page.evaluate("location.hash = 'tag/connections/post_connections'");
    const section = page.locator("section[id$='/post_connections']");
    await section.getByRole("button", { name: /Test Request/ }).click();
    await page.getByRole("button", { name: /^Send/ }).first().click();
    await page.getByText("answered-by-the-server.example").first().waitFor();
    assert.equal(received.at(-1)?.authorization, "Bearer sk_test_key");
    await page.close();
  });

  it("does all of it under the policy that the API sends, without another host", () => {
    assert.deepEqual(faults, []);
  });
});
