import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyWebhook, type WebhookEvent } from "@mooring/sdk";
import { call, textOf } from "@mooring/testing/control/http";
import { runShell } from "@mooring/testing/processes/run-shell";
import { until } from "@mooring/testing/processes/until";
import type { Instance, PersonWalk } from "./walk.ts";

/** From the home page to a webhook that was received and verified. */
export const developerWalk: PersonWalk = {
  who: "an evaluating developer",
  async walk(instance, step) {
    const { browser, base, exports, quickStart } = instance;
    const page = await browser.newPage();
    step("reads the home page");
    await page.goto(`${base}/`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    step("pastes the lines of the quick start");
    assert.equal(quickStart.length, 4);
    const pasted = await runShell(["set -e", exports, ...quickStart].join("\n"));
    assert.match(pasted.stdout, /<h1>Welcome to www\.hello-\d+\.test<\/h1>/, pasted.stderr);
    step("opens the API reference");
    await page.goto(`${base}/docs`);
    await page.getByText("/v1/connections").first().waitFor();
    step("searches the guide for 429");
    await page.goto(`${base}/docs/index`);
    await page.locator("#search").fill("429");
    await page.locator("#found").getByRole("option").first().waitFor();
    await page.close();
    step("receives a webhook and verifies it");
    await receiveWebhook(instance);
  },
};

async function receiveWebhook({ base, key, applicationId }: Instance): Promise<void> {
  let secret = "";
  const received: WebhookEvent[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    received.push(await verifyWebhook(Buffer.concat(parts), request.headers, secret));
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const body = { application_id: applicationId, url: `http://127.0.0.1:${port}/` };
    const made = await call(base, "/v1/webhook-endpoints", { key, body });
    secret = textOf(made, "signing_secret");
    const path = `/v1/webhook-endpoints/${textOf(made, "id")}`;
    await call(base, `${path}/test`, { key, method: "POST" });
    await until(() => received.length > 0, "a webhook");
    await call(base, path, { key, method: "DELETE" });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
