import assert from "node:assert/strict";
import { launchChromium } from "@mooring/testing/browser/chromium";
import {
  makeDataDir,
  productPorts,
  removeDataDir,
  startProduct,
} from "@mooring/testing/local/local-product";
import { until } from "@mooring/testing/processes/until";
import { type Journey, shownRecords, textOfPanel, unknownServers } from "./journey.ts";
import { patchApplication } from "./world.ts";

/** Pages beside the widget: what is shared, the demo, and a page that is not set up. */
export const pageJourneys: readonly Journey[] = [
  {
    name: "20-somebody-else-adds-the-records",
    async walk({ world, caller, open, publish, picture, arrive }) {
      await publish("mast.test", [], unknownServers);
      const customer = await open({ domain: "shop.mast.test" });
      await customer.id("continue").click();
      await customer.id("continue").click();
      const records = await shownRecords(customer);
      await customer.id("share").click();
      const link = new URL((await customer.id("share-url").textContent()) ?? "");
      await picture(customer.page);
      // Whom the link was sent to reads German.
      const viewport = { width: 375, height: 760 };
      const context = await world.browser.newContext({ viewport, locale: "de-DE" });
      const page = await context.newPage();
      await page.goto(caller.base + link.pathname);
      assert.equal(await page.locator("html").getAttribute("lang"), "de");
      await page.getByText("Harbour").first().waitFor();
      await picture(page);
      await publish("mast.test", records, unknownServers);
      await customer.step("success");
      const isDone = async () => {
        await page.reload();
        return (await page.getByText(records[0]?.value ?? "").count()) === 0;
      };
      await until(isDone, "the page to say that all is done");
      await picture(page);
      await context.close();
      await arrive(customer);
    },
  },
  {
    name: "21-the-demo",
    async walk({ picture }) {
      const dataDir = await makeDataDir();
      const ports = await productPorts();
      const product = startProduct({ dataDir, env: ports });
      // Unlike that of the other journeys, it resolves `localhost`.
      const browser = await launchChromium();
      const context = await browser.newContext({ viewport: { width: 375, height: 760 } });
      try {
        await product.waitFor(/Mooring is up\./);
        const page = await context.newPage();
        await page.goto(`http://localhost:${ports["DEMO_PORT"]}/`);
        await picture(page);
        const hostname = (await page.locator("#automatic-name:not(:empty)").textContent()) ?? "";
        await page.getByRole("button", { name: "Connect your domain" }).click();
        const next = page.getByRole("dialog").getByRole("button", { name: "Continue" });
        await next.click();
        await page.getByTestId("svc-provider").waitFor();
        await next.click();
        await page.getByTestId("svc-field-token").fill("sandbox");
        await page.getByTestId("svc-preview").click();
        await page.getByTestId("svc-apply").click();
        await page.getByRole("heading", { name: `${hostname} is live` }).waitFor();
        await picture(page);
        const opening = page.waitForEvent("popup");
        await page.getByTestId("svc-visit").click();
        const seen = await opening;
        await seen.frameLocator("#frame").getByText(`Welcome to ${hostname}`).waitFor();
        await seen.getByText("the certificate is valid").first().waitFor();
        await picture(seen);
      } finally {
        await browser.close();
        product.child.kill("SIGTERM");
        await product.ended;
        await removeDataDir(dataDir);
      }
    },
  },
  {
    name: "22-a-page-that-is-not-set-up",
    async walk({ world, caller, open, picture, arrive }) {
      await patchApplication(caller, { allowed_origins: ["https://harbour.example"] });
      const customer = await open({ isArmedOnly: true });
      const messages: string[] = [];
      customer.page.on("console", (message) => messages.push(message.text()));
      await customer.page.locator("#open").click();
      await customer.id("error").waitFor();
      const { origin } = new URL(world.pageUrl);
      const help = messages.find((text) => text.includes("allowed_origins")) ?? "";
      assert.ok(help.includes(origin) && help.includes("curl -X PATCH"), messages.join("\n"));
      assert.doesNotMatch(await textOfPanel(customer), /internet connection/);
      await picture(customer.page);
      // The developer runs the line, and the customer tries again.
      await patchApplication(caller, { allowed_origins: [origin] });
      await customer.context.close();
      const again = await open();
      await again.id("domain").waitFor();
      await arrive(again);
    },
  },
];
