import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "@mooring/testing/browser/axe";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { call, textOf } from "@mooring/testing/control/http";
import {
  findProcesses,
  type LocalProduct,
  makeDataDir,
  productPorts,
  removeDataDir,
  startProduct,
} from "@mooring/testing/local/local-product";
import { runShell } from "@mooring/testing/processes/run-shell";
import { longestWaitMs, until } from "@mooring/testing/processes/until";

/** The demo of `npm start`: an example product that connects a domain, in a real browser. */
describe("the demo", () => {
  let dataDir = "";
  let product: LocalProduct;
  let base = "";
  let demo = "";
  let hostname = "";

  before(async () => {
    dataDir = await makeDataDir();
    const ports = await productPorts();
    base = `http://localhost:${ports["PORT"]}`;
    demo = `http://localhost:${ports["DEMO_PORT"]}`;
    product = startProduct({ dataDir, env: ports });
    await product.waitFor(/Mooring is up\./);
  });
  after(async () => {
    product.child.kill("SIGTERM");
    await product.ended;
    await until(async () => (await findProcesses(dataDir)).length === 0);
    await removeDataDir(dataDir);
  });

  it("is a page without a key that may load only from its own service", async () => {
    const answer = await fetch(`${base}/demo`);
    assert.equal(answer.url, `${demo}/`);
    assert.match(answer.headers.get("content-security-policy") ?? "", /^default-src 'none';/);
    const page = await answer.text();
    assert.ok(page.includes(`src="${base}/sdk/v1/widget.js"`));
    const files = [...page.matchAll(/(?:href|src)="(\/[\w.]+)"/g)].map(([, file]) => file ?? "");
    assert.ok(files.length >= 3);
    for (const file of [
      ...files,
      "/settings",
      "/live.js",
      "/log.js",
      "/dns",
      "/dns.js",
      "/see",
      "/see.js",
    ]) {
      const part = await fetch(new URL(file, answer.url));
      assert.equal(part.status, 200, file);
      assert.doesNotMatch(await part.text(), /sk_(test|live)_|whsec_/);
    }
  });

  it("goes from its button to a live domain by the widget, and visits it through the edge", async (context) => {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      const openedAt = performance.now();
      await page.goto(`${base}/demo`);
      hostname = (await page.locator("#automatic-name:not(:empty)").textContent()) ?? "";
      await page.getByRole("button", { name: "Connect your domain" }).click();
      const next = page.getByRole("dialog").getByRole("button", { name: "Continue" });
      await next.click();
      await page.getByRole("heading", { name: "Here is what we found" }).waitFor();
      await next.click();
      const token = page.getByRole("dialog").locator("input").first();
      await token.fill("sandbox");
      await token.press("Enter");
      await page.getByRole("button", { name: "Make the changes" }).click();
      await page.getByRole("heading", { name: `${hostname} is live` }).waitFor();
      context.diagnostic(`live ${Math.round(performance.now() - openedAt)} ms after it was opened`);
      // The widget's own link leads to a page that works in this browser, which trusts no local
      // root.
      const [seen] = await Promise.all([
        page.waitForEvent("popup"),
        page.getByRole("link", { name: `Open ${hostname}` }).click(),
      ]);
      await seen
        .getByText("The edge answered with status 200; the certificate is valid.")
        .waitFor();
      await seen.frameLocator("#frame").getByText(`Welcome to ${hostname}`).waitFor();
      await seen.frameLocator("#frame").getByText("signature checked").waitFor();
      await seen.getByText("Mooring local CA").first().waitFor();
      assert.deepEqual(await seen.locator("dd").first().textContent(), hostname);
      const curl = (await seen.locator("#command").textContent()) ?? "";
      const same = await runShell(`${curl} -s`);
      assert.match(same.stdout, new RegExp(`Welcome to ${hostname}`));
      assert.deepEqual(await violations(seen), []);
      await seen.close();
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByRole("link", { name: "Open it here" }).waitFor();
      // Webhooks arrive by themselves.
      for (const entry of ["svc:step", "svc:success", "svc:close", "domain.flow.completed"]) {
        await page.locator("#log", { hasText: entry }).waitFor({ state: "attached" });
      }
      assert.deepEqual(complaints, []);
    } finally {
      await browser.close();
    }
  });

  it("has verified every webhook of it, and refuses a forged one", async () => {
    const forged = await fetch(`${demo}/webhooks`, {
      method: "POST",
      headers: { "x-svc-timestamp": "1", "x-svc-signature": `sha256=${"0".repeat(64)}` },
      body: "{}",
    });
    assert.equal(forged.status, 400);
    const feed = await fetch(`${demo}/events`, { signal: AbortSignal.timeout(longestWaitMs) });
    let received = "";
    for await (const part of feed.body ?? []) {
      received += new TextDecoder().decode(part);
      const expected = ["domain.added", "domain.verified", "ssl.issued", "domain.flow.completed"];
      if ([...expected, "refused"].every((word) => received.includes(word))) break;
    }
    const live = `"title":"domain.flow.completed","hostname":"${hostname}","state":"live"`;
    assert.ok(received.includes(live), received);
  });

  it("mints tokens for its own page only", async () => {
    const token = textOf(await call(demo, "/token", { body: {} }), "token");
    const check = { key: token, body: { domain: hostname } };
    assert.equal((await call(base, "/v1/domains:check", check)).status, 200);
    const headers = { origin: "https://evil.example" };
    assert.equal((await call(demo, "/token", { body: {}, headers })).status, 403);
    const elsewhere = await runShell(
      `curl -s -X POST ${demo}/token -H 'Host: ${hostname}' -H 'Content-Type: application/json' -d '{}'`,
    );
    assert.match(elsewhere.stdout, /Welcome to/);
    assert.doesNotMatch(elsewhere.stdout, /"token"/);
  });
});
