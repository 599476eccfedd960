import assert from "node:assert/strict";
import { connect, putZone } from "@mooring/testing/clients/connecting";
import type { PersonWalk } from "./walk.ts";

/** In the console: from the overview to a stuck domain, its fix, a colleague and the customer. */
export const supportWalk: PersonWalk = {
  who: "support",
  async walk(instance, step) {
    const { browser, base, label, consoleLink } = instance;
    const zone = `stuck-${label}.test`;
    const hostname = `shop.${zone}`;
    const customer = `customer ${label}`;
    await putZone(instance, zone, []);
    await connect(instance, hostname, { customer_ref: customer });
    const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce" });
    const page = await context.newPage();
    const heading = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
    const dialog = page.getByRole("dialog");

    step("signs in by the printed link, and reads the overview");
    await page.goto(consoleLink);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(/\/console\/(live|test)/);
    await page.goto(`${base}/console/test`);
    await heading("Overview");
    step("opens the stuck domain from there");
    await page.getByRole("link", { name: hostname }).first().click();
    await heading(hostname);
    step("writes the records with a token");
    await page.getByRole("button", { name: "Write the records" }).click();
    await dialog
      .getByRole("combobox", { name: "Credential" })
      .selectOption({ label: "One for this time only" });
    await dialog.getByRole("combobox", { name: "Provider" }).selectOption("sandbox");
    await dialog.getByLabel(/token/i).fill("sandbox");
    await dialog.getByRole("button", { name: "Show the plan" }).click();
    await dialog.getByRole("button", { name: "Write", exact: true }).click();
    step("sees the domain go live");
    await page.getByText("Live", { exact: true }).first().waitFor();

    step("invites a colleague");
    await page.goto(`${base}/console/test/team`);
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await dialog.getByLabel("E-mail").fill(`colleague-${label}@harbour.example`);
    await dialog.getByRole("button", { name: "Invite", exact: true }).click();
    await dialog.getByRole("button", { name: "I have stored it" }).click();

    step("finds the domain by a pasted address");
    await page.keyboard.press("Control+k");
    await page.keyboard.type(`https://${hostname}/cart?item=1`);
    await page.getByRole("option", { name: hostname }).first().waitFor();
    await page.keyboard.press("Enter");
    await heading(hostname);

    step("gives the customer a status page");
    await page.goto(`${base}/console/test/customers?ref=${encodeURIComponent(customer)}`);
    await page.getByRole("button", { name: "Status page" }).click();
    await dialog.getByRole("button", { name: "Create a link" }).click();
    const link = (await dialog.locator("code").first().textContent()) ?? "";
    const reader = await browser.newPage();
    assert.equal((await reader.goto(link))?.status(), 200);
    await reader.getByText(hostname).first().waitFor();
    await reader.close();
    await context.close();
  },
};
