import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Browser, chromium, type Page } from "playwright-core";
import { call, textOf } from "../../packages/control/test/support/http.ts";
import { eventually, hurry, issueCertificates, stateOf } from "../support/connecting.ts";
import {
  type ProductWorld,
  startProductWorld,
  syncZone,
} from "../support/domain-connect-provider/product-world.ts";
import { expectedEvents, jobIn, type Visitor, visitPage } from "../support/widget-customer.ts";

/** Consent at the customer's own provider, in a window that the widget opens. */
describe("the widget with Domain Connect", { timeout: 240_000 }, () => {
  let world: ProductWorld;
  let browser: Browser;
  before(async () => {
    world = await startProductWorld();
    browser = await chromium.launch({
      executablePath: "/usr/bin/chromium",
      // Every name is on this machine; nothing can leave it.
      args: ["--no-sandbox", "--host-resolver-rules=MAP * 127.0.0.1"],
    });
  });
  after(async () => {
    await browser?.close();
    await world?.stop();
  });

  /** The tenant's site with the widget's script and a button. */
  async function visit(domain: string): Promise<Visitor> {
    const { baseUrl, siteUrl, caller } = world;
    const allowed = [baseUrl, siteUrl];
    const visitor = await visitPage(browser, { url: siteUrl, allowed, ignoreHTTPSErrors: true });
    await visitor.page.addScriptTag({ url: `${baseUrl}/sdk/v1/widget.js` });
    await visitor.page.evaluate(
      `document.body.append(Object.assign(document.createElement("button"), { id: "open" }))`,
    );
    const body = { application_id: caller.applicationId };
    const minted = await call(caller.base, "/v1/tokens", { key: caller.key, body });
    const token = textOf(minted, "auth_token");
    await visitor.open({ applicationId: caller.applicationId, token, domain });
    await visitor.id("continue").click();
    await visitor.id("provider").waitFor();
    await visitor.id("continue").click();
    await visitor.step("automatic_setup");
    return visitor;
  }

  async function popupOf(visitor: Visitor, button: string): Promise<Page> {
    const opening = visitor.page.waitForEvent("popup");
    await visitor.id(button).click();
    const popup = await opening;
    await popup.getByRole("button", { name: "Confirm" }).waitFor();
    return popup;
  }

  async function live(visitor: Visitor): Promise<void> {
    const id = jobIn((await visitor.told()).filter(({ name }) => name !== undefined));
    await eventually("a certificate wanted", 60_000, async () => {
      if ((await stateOf(world.session, id)) === "issuing_cert") return true;
      await hurry(world.session);
      return false;
    });
    await issueCertificates(world.session);
    await eventually("live", 60_000, async () => {
      if ((await stateOf(world.session, id)) === "live") return true;
      await hurry(world.session);
      return false;
    });
  }

  it("goes to the provider in a window and on by itself when the customer has agreed", async () => {
    const domain = `widget.${syncZone}`;
    const visitor = await visit(domain);
    const popup = await popupOf(visitor, "method-domain-connect");
    assert.equal(await visitor.id("popup").getAttribute("data-status"), "open");
    const closed = popup.waitForEvent("close");
    await popup.getByRole("button", { name: "Confirm" }).click();
    await closed;
    await visitor.step("in_progress");
    await live(visitor);
    await visitor.step("success");
    await visitor.id("done").click();
    await visitor.id("panel").waitFor({ state: "detached" });
    // The site's own page notes the provider's message too, which is not of the widget.
    const told = (await visitor.told()).filter(({ name }) => name !== undefined);
    const steps = ["automatic_setup", "in_progress", "success"];
    const about = { domain, provider: null, setupType: "automatic" };
    assert.deepEqual(told, expectedEvents(told, { ...about, steps }));
    await visitor.leave();
  });

  it("lets the customer decline, begin again, and agree", async () => {
    const visitor = await visit(`again.${syncZone}`);
    const first = await popupOf(visitor, "method-domain-connect");
    const closed = first.waitForEvent("close");
    await first.getByRole("button", { name: "Cancel" }).click();
    await closed;
    await visitor.page.locator("[data-testid=svc-popup][data-status=denied]").waitFor();
    assert.match(
      (await visitor.id("popup").textContent()) ?? "",
      /declined, so nothing was changed/,
    );
    const second = await popupOf(visitor, "open-popup");
    const gone = second.waitForEvent("close");
    await second.getByRole("button", { name: "Confirm" }).click();
    await gone;
    await visitor.step("in_progress");
    await live(visitor);
    await visitor.step("success");
    await visitor.leave();
  });
});
