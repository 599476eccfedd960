import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Caller, freshZone } from "../support/connecting.ts";
import type { Visitor } from "../support/widget-customer.ts";
import { publishByHand, startWidgetWorld, type WidgetWorld } from "../support/widget-world.ts";

describe("the widget without a mouse", { timeout: 240_000 }, () => {
  let world: WidgetWorld;
  let caller: Caller;
  before(async () => {
    world = await startWidgetWorld();
    caller = await world.caller("Harbour");
    await world.work();
  });
  after(() => world?.close());

  /** Where the focus is, through the shadow root; null when it has left the widget. */
  const focused = (visitor: Visitor) =>
    visitor.page.evaluate<string | null>(
      "document.activeElement?.shadowRoot?.activeElement?.dataset.testid ?? null",
    );

  /** Tabs to a control as a person would, and never out of the widget. */
  async function tabTo(visitor: Visitor, id: string): Promise<void> {
    for (let press = 0; press < 40; press += 1) {
      if ((await focused(visitor)) === `svc-${id}`) return;
      await visitor.page.keyboard.press("Tab");
      const inside = "document.activeElement?.hasAttribute('data-svc-widget')";
      assert.equal(await visitor.page.evaluate(inside), true, "the focus stays inside");
    }
    assert.fail(`${id} cannot be reached with Tab`);
  }

  async function press(visitor: Visitor, id: string): Promise<void> {
    await tabTo(visitor, id);
    await visitor.page.keyboard.press("Enter");
  }

  /** Notes every text of the live region, as a screen reader would say it. */
  const listen = `{
    window.said = [];
    const region = document.querySelector("[data-svc-widget]").shadowRoot
      .querySelector("[data-testid=svc-live]");
    new MutationObserver(() => said.push(region.textContent))
      .observe(region, { characterData: true, childList: true, subtree: true });
  }`;

  it("leads by hand from the page's button to a live domain and back to the button", async () => {
    const zone = freshZone();
    const domain = `shop.${zone}`;
    await publishByHand(caller, zone, []);
    const visitor = await world.visit({ permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = visitor;
    const token = await world.mint(caller);
    await visitor.arm({ applicationId: caller.applicationId, token, brandName: "Harbour" });
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await visitor.id("panel").waitFor();
    assert.equal(await focused(visitor), "svc-domain", "one can type at once");
    await page.evaluate(listen);
    // An answer that is there at once leaves nothing to say before it.
    await page.route(/domains:check/, async (route) => {
      await page.waitForFunction(`said.includes("Checking ${domain}")`);
      await route.continue();
    });
    await page.keyboard.type(`not a domain`);
    await page.keyboard.press("Enter");
    await visitor.id("domain-problem").waitFor();
    assert.equal(await visitor.id("domain").getAttribute("aria-invalid"), "true");
    await tabTo(visitor, "domain");
    await page.keyboard.press("Control+A");
    await page.keyboard.type(domain);
    await page.keyboard.press("Enter");
    await visitor.id("provider").waitFor();
    assert.equal(await focused(visitor), "svc-title", "a new screen is read from its heading");
    await press(visitor, "continue");
    await visitor.step("manual_configuration");
    assert.equal(await focused(visitor), "svc-title");
    await tabTo(visitor, "copy-record-host");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), "_service-challenge.shop");
    const [challenge = "", target = ""] = await visitor.id("record-value").allTextContents();
    const proof = { host: "_service-challenge.shop", type: "TXT", value: challenge };
    await publishByHand(caller, zone, [proof]);
    await press(visitor, "check-now");
    await page.locator("[data-testid=svc-record][data-status=found]").waitFor();
    await page.keyboard.press("Shift+Tab");
    assert.notEqual(await focused(visitor), null);
    await publishByHand(caller, zone, [proof, { host: "shop", type: "CNAME", value: target }]);
    await visitor.step("success");
    assert.equal(await focused(visitor), "svc-title");
    const said = await page.evaluate<readonly string[]>("said");
    for (const text of [
      `Checking ${domain}`,
      "Here is what we found",
      "Copied",
      `Found: TXT _service-challenge.${domain}`,
    ]) {
      assert.ok(said.includes(text), `${text} in ${JSON.stringify(said)}`);
    }
    await press(visitor, "done");
    await visitor.id("panel").waitFor({ state: "detached" });
    assert.equal(await page.evaluate("document.activeElement.id"), "open", "where one was before");
    await visitor.leave();
  });

  it("asks before it is left, takes Escape for no, and gives the focus back", async () => {
    const zone = freshZone();
    await publishByHand(caller, zone, []);
    const visitor = await world.visit();
    const token = await world.mint(caller);
    const { applicationId } = caller;
    await visitor.open({ applicationId, token, domain: `shop.${zone}` });
    await press(visitor, "continue");
    await visitor.id("provider").waitFor();
    await press(visitor, "continue");
    await visitor.step("manual_configuration");
    await visitor.page.keyboard.press("Escape");
    await visitor.id("overlay-exit").waitFor();
    assert.equal(await focused(visitor), "svc-exit-stay");
    await visitor.page.keyboard.press("Tab");
    await tabTo(visitor, "exit-stay");
    await visitor.page.keyboard.press("Enter");
    await visitor.id("overlay-exit").waitFor({ state: "detached" });
    assert.notEqual(await focused(visitor), null, "the focus comes back to the screen");
    await press(visitor, "close");
    await press(visitor, "exit-leave");
    await visitor.id("panel").waitFor({ state: "detached" });
    assert.equal(await visitor.page.evaluate("document.activeElement.id"), "open");
    await visitor.leave();
  });
});
