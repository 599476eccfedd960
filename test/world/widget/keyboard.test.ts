import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Customer } from "@mooring/testing/browser/widget-customer";
import {
  publishByHand,
  startWidgetWorld,
  type WidgetWorld,
} from "@mooring/testing/browser/widget-world";
import { type Caller, freshZone } from "@mooring/testing/clients/connecting";
import { until } from "@mooring/testing/processes/until";

describe("the widget without a mouse", () => {
  let world: WidgetWorld;
  let caller: Caller;
  before(async () => {
    world = await startWidgetWorld();
    caller = await world.caller("Harbour");
    await world.work();
  });
  after(() => world?.close());

  /**
   * The focused element, also inside the shadow root; null when the focus is outside the widget.
   */
  const focused = (customer: Customer) =>
    customer.page.evaluate<string | null>(
      "document.activeElement?.shadowRoot?.activeElement?.dataset.testid ?? null",
    );

  /** Presses Tab until the control has the focus, which never leaves the widget. */
  async function tabTo(customer: Customer, id: string): Promise<void> {
    for (let press = 0; press < 40; press += 1) {
      if ((await focused(customer)) === `svc-${id}`) return;
      await customer.page.keyboard.press("Tab");
      const inside = "document.activeElement?.hasAttribute('data-svc-widget')";
      assert.equal(await customer.page.evaluate(inside), true, "the focus stays inside");
    }
    assert.fail(`${id} cannot be reached with Tab`);
  }

  async function press(customer: Customer, id: string): Promise<void> {
    await tabTo(customer, id);
    await customer.page.keyboard.press("Enter");
  }

  /** Records every text of the live region, which a screen reader announces. */
  const listen = `{
    window.announced = [];
    const region = document.querySelector("[data-svc-widget]").shadowRoot
      .querySelector("[data-testid=svc-live]");
    new MutationObserver(() => announced.push(region.textContent))
      .observe(region, { characterData: true, childList: true, subtree: true });
  }`;

  it("completes the manual flow from the page's button to a live domain and back to the button", async () => {
    const zone = freshZone();
    const domain = `shop.${zone}`;
    await publishByHand(caller, zone, []);
    const customer = await world.visit({ permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = customer;
    const token = await world.mint(caller);
    await customer.arm({ applicationId: caller.applicationId, token, brandName: "Harbour" });
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await customer.id("panel").waitFor();
    assert.equal(await focused(customer), "svc-domain", "the field has the focus");
    await page.evaluate(listen);
    // An immediate answer is announced without the message before it.
    await page.route(/domains:check/, async (route) => {
      await page.waitForFunction(`announced.includes("Checking ${domain}")`);
      await route.continue();
    });
    await page.keyboard.type(`not a domain`);
    await page.keyboard.press("Enter");
    await customer.id("domain-problem").waitFor();
    assert.equal(await customer.id("domain").getAttribute("aria-invalid"), "true");
    await tabTo(customer, "domain");
    await page.keyboard.press("Control+A");
    await page.keyboard.type(domain);
    await page.keyboard.press("Enter");
    await customer.id("provider").waitFor();
    assert.equal(await focused(customer), "svc-title", "a new screen has the focus on its heading");
    await press(customer, "continue");
    await customer.step("manual_configuration");
    assert.equal(await focused(customer), "svc-title");
    await tabTo(customer, "copy-record-host");
    await page.keyboard.press("Enter");
    const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
    await until(async () => (await copied()) === "_service-challenge.shop", "the copied name");
    const [challenge = "", target = ""] = await customer.id("record-value").allTextContents();
    const proof = { host: "_service-challenge.shop", type: "TXT", value: challenge };
    await publishByHand(caller, zone, [proof]);
    await press(customer, "check-now");
    await page.locator("[data-testid=svc-record][data-status=found]").waitFor();
    await page.keyboard.press("Shift+Tab");
    assert.notEqual(await focused(customer), null);
    await publishByHand(caller, zone, [proof, { host: "shop", type: "CNAME", value: target }]);
    await customer.step("success");
    assert.equal(await focused(customer), "svc-title");
    const announced = await page.evaluate<readonly string[]>("announced");
    for (const text of [
      `Checking ${domain}`,
      "Here is what we found",
      "Copied: Name, TXT _service-challenge.shop",
      `Found: TXT _service-challenge.${domain}`,
    ]) {
      const times = announced.filter((one) => one.includes(text)).length;
      assert.equal(times, 1, `${text} in ${JSON.stringify(announced)}`);
    }
    await press(customer, "done");
    await customer.id("panel").waitFor({ state: "detached" });
    assert.equal(
      await page.evaluate("document.activeElement.id"),
      "open",
      "the focus is back on the button",
    );
    await customer.leave();
  });

  it("asks before it closes, takes Escape as no, and restores the focus", async () => {
    const zone = freshZone();
    await publishByHand(caller, zone, []);
    const customer = await world.visit();
    const token = await world.mint(caller);
    const { applicationId } = caller;
    await customer.open({ applicationId, token, domain: `shop.${zone}` });
    await press(customer, "continue");
    await customer.id("provider").waitFor();
    await press(customer, "continue");
    await customer.step("manual_configuration");
    await customer.page.keyboard.press("Escape");
    await customer.id("overlay-exit").waitFor();
    assert.equal(await focused(customer), "svc-exit-stay");
    await customer.page.keyboard.press("Tab");
    await tabTo(customer, "exit-stay");
    await customer.page.keyboard.press("Enter");
    await customer.id("overlay-exit").waitFor({ state: "detached" });
    assert.notEqual(await focused(customer), null, "the focus comes back to the screen");
    await press(customer, "close");
    await press(customer, "exit-leave");
    await customer.id("panel").waitFor({ state: "detached" });
    assert.equal(await customer.page.evaluate("document.activeElement.id"), "open");
    await customer.leave();
  });
});
