import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { launchChromium } from "@mooring/testing/browser/chromium";
import {
  type Customer,
  expectedEvents,
  jobIn,
  openTenantPage,
} from "@mooring/testing/browser/widget-customer";
import { hurry, issueCertificates, readState } from "@mooring/testing/clients/connecting";
import { call, textOf } from "@mooring/testing/control/http";
import {
  type ProductWorld,
  startProductWorld,
  syncZone,
} from "@mooring/testing/domain-connect-provider/product-world";
import { until } from "@mooring/testing/processes/until";
import type { Browser, Page } from "playwright-core";

/** Consent at the customer's provider, in a window that the widget opens. */
describe("the widget with Domain Connect", () => {
  let world: ProductWorld;
  let browser: Browser;
  before(async () => {
    world = await startProductWorld();
    browser = await launchChromium(
      // Every name resolves to this machine.
      "--host-resolver-rules=MAP * 127.0.0.1",
    );
  });
  after(async () => {
    await browser?.close();
    await world?.stop();
  });

  /** The tenant's site with the widget's script and a button. */
  async function arrive(): Promise<Customer> {
    const { baseUrl, siteUrl } = world;
    const allowed = [baseUrl, siteUrl];
    const customer = await openTenantPage(browser, {
      url: siteUrl,
      allowed,
      ignoreHTTPSErrors: true,
    });
    await customer.page.addScriptTag({ url: `${baseUrl}/sdk/v1/widget.js` });
    await customer.page.evaluate(
      `document.body.append(Object.assign(document.createElement("button"), { id: "open" }))`,
    );
    return customer;
  }

  async function visit(domain: string): Promise<Customer> {
    const { caller } = world;
    const customer = await arrive();
    const body = { application_id: caller.applicationId };
    const minted = await call(caller.base, "/v1/tokens", { key: caller.key, body });
    const token = textOf(minted, "auth_token");
    await customer.open({ applicationId: caller.applicationId, token, domain });
    await customer.id("continue").click();
    await customer.id("provider").waitFor();
    await customer.id("continue").click();
    await customer.step("automatic_setup");
    return customer;
  }

  async function openPopup(customer: Customer, button: string): Promise<Page> {
    const opening = customer.page.waitForEvent("popup");
    await customer.id(button).click();
    const popup = await opening;
    await popup.getByRole("button", { name: "Confirm" }).waitFor();
    return popup;
  }

  async function live(customer: Customer): Promise<void> {
    const id = jobIn((await customer.events()).filter(({ name }) => name !== undefined));
    await until(async () => {
      if ((await readState(world.session, id)) === "issuing_cert") return true;
      await hurry(world.session);
      return false;
    }, "a certificate row that is due");
    await issueCertificates(world.session);
    await until(async () => {
      if ((await readState(world.session, id)) === "live") return true;
      await hurry(world.session);
      return false;
    }, "live");
  }

  it("opens the provider in a window, and continues when the customer has agreed", async () => {
    const domain = `widget.${syncZone}`;
    const customer = await visit(domain);
    const popup = await openPopup(customer, "method-domain-connect");
    assert.equal(await customer.id("popup").getAttribute("data-status"), "open");
    const closed = popup.waitForEvent("close");
    await popup.getByRole("button", { name: "Confirm" }).click();
    await closed;
    await customer.step("in_progress");
    await live(customer);
    await customer.step("success");
    await customer.id("done").click();
    await customer.id("panel").waitFor({ state: "detached" });
    // The page also records the message of the popup, which has no name.
    const events = (await customer.events()).filter(({ name }) => name !== undefined);
    const steps = ["automatic_setup", "in_progress", "success"];
    const about = { domain, provider: null, setupType: "automatic" };
    assert.deepEqual(events, expectedEvents(events, { ...about, steps }));
    await customer.leave();
  });

  it("connects a domain and its www by one consent, and is resumed and shared as both", async () => {
    const customer = await visit(syncZone);
    const popup = await openPopup(customer, "method-domain-connect");
    const closed = popup.waitForEvent("close");
    await popup.getByRole("button", { name: "Confirm" }).click();
    await closed;
    await customer.step("in_progress");
    const written = world.zones.records(syncZone).map(({ name, type }) => `${type} ${name}`);
    for (const name of [syncZone, `www.${syncZone}`]) {
      assert.ok(written.includes(`TXT _service-challenge.${name}`), written.join("\n"));
      assert.ok(written.some((one) => new RegExp(`^(A|CNAME) ${name}$`).test(one)));
    }
    await customer.leave();
    const { base, key, applicationId } = world.caller;
    const path = `/v1/connections?hostname=www.${syncZone}`;
    const [www] = (await call(base, path, { key })).json()["data"] as { id: string }[];
    assert.ok(www !== undefined);
    const apexId = textOf(await call(base, `/v1/connections/${www.id}`, { key }), "partner_id");
    for (const id of [apexId, www.id]) {
      await until(async () => {
        if ((await readState(world.session, id)) === "issuing_cert") return true;
        await hurry(world.session);
        return false;
      }, "a certificate row that is due");
    }
    const shared = await call(base, `/v1/connections/${www.id}/share`, { key, method: "POST" });
    const page = await call(base, new URL(textOf(shared, "url")).pathname);
    assert.match(page.text, new RegExp(`${syncZone} and www.${syncZone}`));
    const body = { application_id: applicationId, domain: syncZone };
    const token = textOf(await call(base, "/v1/tokens", { key, body }), "auth_token");
    const again = await arrive();
    await again.open({ applicationId, token, connectionId: www.id });
    await again.step("in_progress");
    const [first] = (await again.events()).filter(({ name }) => name === "svc:step").slice(-1);
    assert.equal(first?.detail["domain"], syncZone);
    await again.leave();
  });

  it("lets the customer decline, start again, and agree", async () => {
    const customer = await visit(`again.${syncZone}`);
    const first = await openPopup(customer, "method-domain-connect");
    const closed = first.waitForEvent("close");
    await first.getByRole("button", { name: "Cancel" }).click();
    await closed;
    await customer.page.locator("[data-testid=svc-popup][data-status=denied]").waitFor();
    assert.match(
      (await customer.id("popup").textContent()) ?? "",
      /declined, so nothing was changed/,
    );
    const second = await openPopup(customer, "open-popup");
    const gone = second.waitForEvent("close");
    await second.getByRole("button", { name: "Confirm" }).click();
    await gone;
    await customer.step("in_progress");
    await live(customer);
    await customer.step("success");
    await customer.leave();
  });
});
