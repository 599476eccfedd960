import assert from "node:assert/strict";
import type { Customer } from "@mooring/testing/browser/widget-customer";
import { startWidgetWorld } from "@mooring/testing/browser/widget-world";
import { startIdentityProvider } from "@mooring/testing/clients/identity-provider";
import { applyToken, type Journey, providerServers, shownRecords, textOfPanel } from "./journey.ts";
import { openBrandedCaller, patchApplication } from "./world.ts";

const requiredFields = (customer: Customer) =>
  customer.page
    .locator("input[required]")
    .evaluateAll((inputs) => inputs.map((input) => input.getAttribute("name")));

/** The ways to set the records, the easiest first. */
export const wayJourneys: readonly Journey[] = [
  {
    name: "08-the-easiest-way-first",
    async walk({ open, publish, picture, arrive }) {
      await publish("chandler.test", [], providerServers.godaddy);
      const customer = await open({ domain: "shop.chandler.test" });
      await customer.id("continue").click();
      await customer.id("provider").waitFor();
      assert.equal(await customer.id("setup-type").textContent(), "Guided setup");
      await picture(customer.page);
      await customer.id("continue").click();
      const records = await shownRecords(customer);
      await picture(customer.page);
      assert.equal(await customer.id("back").textContent(), "I manage DNS by API");
      await customer.id("back").click();
      await customer.id("credential-form").waitFor();
      await picture(customer.page);
      await customer.id("method-manual").click();
      assert.deepEqual(await shownRecords(customer), records);
      await publish("chandler.test", records, providerServers.godaddy);
      await customer.step("success");
      await arrive(customer);
    },
  },
  {
    name: "09-where-the-token-is-made",
    async walk({ open, publish, picture, arrive }) {
      await publish("sailmaker.test", [], providerServers.namecheap);
      const developer = await open({ domain: "shop.sailmaker.test" });
      await developer.id("continue").click();
      await developer.id("continue").click();
      await developer.id("back").click();
      await developer.id("credential-form").waitFor();
      assert.match(await textOfPanel(developer), /198\.51\.100\.20/, "the service's addresses");
      await picture(developer.page);
      await developer.leave();
      await publish("ropewalk.test", [], providerServers.cloudflare);
      const customer = await open({ domain: "shop.ropewalk.test" });
      await customer.id("continue").click();
      await customer.id("continue").click();
      await customer.id("token-steps").waitFor();
      assert.deepEqual(await requiredFields(customer), ["api_token"]);
      const link = (await customer.id("token-link").getAttribute("href")) ?? "";
      assert.match(link, /^https:\/\/dash\.cloudflare\.com\//);
      await customer.id("preview").click();
      await arrive(customer);
    },
  },
  {
    name: "10-guided-by-hand",
    async walk({ open, publish, picture, arrive }) {
      await publish("dredger.test", [], providerServers.cloudflare);
      const customer = await open({ domain: "shop.dredger.test" });
      await customer.id("continue").click();
      await customer.id("by-hand").click();
      const records = await shownRecords(customer);
      const hosts = records.map(({ host }) => host);
      assert.deepEqual(hosts, ["_service-challenge.shop", "shop"], "as the panel wants them");
      assert.match(await textOfPanel(customer), /DNS only/);
      await picture(customer.page);
      const [proof, ...others] = records;
      assert.ok(proof !== undefined);
      await publish("dredger.test", [proof], providerServers.cloudflare);
      await customer.page.locator("[data-testid=svc-record][data-status=found]").waitFor();
      await picture(customer.page);
      await publish("dredger.test", [proof, ...others], providerServers.cloudflare);
      await customer.step("success");
      await arrive(customer);
    },
  },
  {
    name: "11-sign-in-at-the-provider",
    async walk({ name, picture, arrive }) {
      const idp = await startIdentityProvider("sandbox");
      const world = await startWidgetWorld({
        OAUTH_SANDBOX_CLIENT_ID: idp.clientId,
        OAUTH_SANDBOX_CLIENT_SECRET: idp.clientSecret,
        OAUTH_SANDBOX_URL: idp.url,
        EGRESS_ALLOW: "127.0.0.0/8",
      });
      try {
        await world.work();
        const caller = await openBrandedCaller(world, name);
        idp.serviceUrl = caller.base;
        await patchApplication(caller, { allowed_origins: [new URL(world.pageUrl).origin] });
        const customer = await world.visit({ viewport: { width: 375, height: 760 } });
        const token = await world.mint(caller, undefined, name);
        const domain = "shop.wharf.test";
        await customer.open({ applicationId: caller.applicationId, token, domain });
        await customer.id("continue").click();
        await customer.id("continue").click();
        await customer.id("method-oauth").waitFor();
        await picture(customer.page);
        const opening = customer.page.waitForEvent("popup");
        await customer.id("method-oauth").click();
        const popup = await opening;
        await popup.getByRole("link", { name: "Allow" }).waitFor();
        await picture(customer.page);
        await popup.getByRole("link", { name: "Allow" }).click();
        await customer.id("plan").waitFor();
        await picture(customer.page);
        await customer.id("apply").click();
        await customer.step("success");
        assert.deepEqual(idp.revoked, ["sandbox"], "used once and thrown away");
        await arrive(customer);
      } finally {
        await world.close();
        await idp.close();
      }
    },
  },
  {
    name: "12-both-names-as-one",
    async walk({ open, publish, zone, picture, arrive }) {
      await publish("schooner.test", []);
      const customer = await open();
      await customer.id("domain").fill("www.schooner.test");
      await customer.id("continue").click();
      await customer.id("pair").waitFor();
      await customer.id("pair-apex").check();
      await picture(customer.page);
      await applyToken(customer);
      await picture(customer.page);
      await customer.id("apply").click();
      await customer.step("success");
      const owners = (await zone("schooner.test")).map(({ host }) => host);
      for (const name of ["schooner.test", "www.schooner.test"]) {
        assert.ok(owners.includes(`_service-challenge.${name}`), owners.join());
      }
      await picture(customer.page);
      await customer.id("done").click();
      await customer.page.locator("#open").click();
      await customer.id("own-domain").waitFor();
      assert.match(await textOfPanel(customer), /www\.schooner\.test leads to it/);
      await arrive(customer);
    },
  },
];
