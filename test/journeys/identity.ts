import assert from "node:assert/strict";
import type { Customer } from "@mooring/testing/browser/widget-customer";
import { get, readState } from "@mooring/testing/clients/connecting";
import { until } from "@mooring/testing/processes/until";
import { type Journey, shownRecords, textOfPanel, unknownServers } from "./journey.ts";

/** Customers of one tenant, what is theirs, and what is somebody else's. */
export const identityJourneys: readonly Journey[] = [
  {
    name: "01-a-strangers-domain",
    async walk({ live, open, picture, arrive }) {
      const taken = await live("shop.tides.test", "somebody-else");
      // One who is signed in as another customer, and one whom the page does not name.
      for (const customerRef of ["customer-2", null]) {
        const customer = await open({ customerRef });
        await customer.id("domain").fill("shop.tides.test");
        if (customerRef !== null) await picture(customer.page);
        await customer.id("continue").click();
        await customer.id("taken").waitFor();
        assert.doesNotMatch(await textOfPanel(customer), /is live/);
        assert.doesNotMatch(JSON.stringify(await customer.events()), new RegExp(taken.id));
        assert.ok((await customer.events()).every(({ name }) => name !== "svc:success"));
        if (customerRef === null) await customer.leave();
        else await arrive(customer);
      }
    },
  },
  {
    name: "02-a-token-per-customer",
    async walk({ open, picture, arrive }) {
      const warnings: string[] = [];
      const watch = (customer: Customer) =>
        customer.page.on("console", (message) => {
          if (message.text().startsWith("Svc.open:")) warnings.push(message.text());
        });
      const nobody = await open({ customerRef: null, isArmedOnly: true });
      watch(nobody);
      for (let time = 0; time < 2; time += 1) {
        await nobody.page.locator("#open").click();
        await nobody.id("domain").waitFor();
        if (time === 0) await picture(nobody.page);
        await nobody.id("close").click();
        await nobody.id("panel").waitFor({ state: "detached" });
      }
      await until(() => warnings.length > 0, "the warning");
      assert.equal(warnings.length, 1, "the developer is warned once");
      assert.match(warnings[0] ?? "", /customer_ref/);
      await nobody.leave();
      const somebody = await open({ customerRef: "customer-1", isArmedOnly: true });
      watch(somebody);
      await somebody.page.locator("#open").click();
      await somebody.id("domain").waitFor();
      assert.equal(warnings.length, 1);
      await arrive(somebody);
    },
  },
  {
    name: "13-your-domains",
    async walk({ name, world, caller, live, open, publish, picture, arrive }) {
      const main = await live("lighthouse.test", name);
      const customer = await open();
      await customer.id("domains").waitFor();
      await picture(customer.page);
      await customer.id("add-domain").click();
      await publish("pier.test", [], unknownServers);
      await customer.id("domain").fill("shop.pier.test");
      await customer.id("continue").click();
      await customer.id("continue").click();
      const records = await shownRecords(customer);
      await customer.leave();

      // Coming back continues where it was, without typing.
      const again = await open();
      await again.id("domains").waitFor();
      await picture(again.page);
      await again.id("open-domain").click();
      assert.deepEqual(await shownRecords(again), records);
      await picture(again.page);
      await publish("pier.test", records, unknownServers);
      await again.step("success");
      await again.leave();

      const last = await open();
      await last.id("remove-domain").first().click();
      await last.id("remove-confirm").waitFor();
      await picture(last.page);
      const asked = (await last.id("title").textContent()) ?? "";
      await last.id("remove-confirm").click();
      await last.id("remove-confirm").waitFor({ state: "detached" });
      await last.id("domains").waitFor();
      assert.equal(await last.id("own-domain").count(), 1);
      const isGone = async () => (await readState(world.session, main.id)) === "archived";
      if (asked.includes("lighthouse")) await until(isGone, "the end of it");
      assert.equal((await get(caller, main.id)).status, 200);
      await arrive(last);
    },
  },
  {
    name: "14-a-domain-that-is-taken",
    async walk({ world, live, open, publish, picture, arrive }) {
      const holder = await live("shop.breakwater.test", "former-owner");
      const first = await open();
      await first.id("domain").fill("shop.breakwater.test");
      await first.id("continue").click();
      await first.id("taken").waitFor();
      assert.equal(await first.id("support").getAttribute("href"), "https://harbour.example/help");
      await picture(first.page);
      await first.leave();

      // The domain has a new owner, who points it elsewhere: it may be proven.
      await publish("breakwater.test", [], unknownServers);
      const isDrifted = async () => (await readState(world.session, holder.id)) === "drifted";
      await until(isDrifted, "the drift");
      const customer = await open();
      await customer.id("domain").fill("shop.breakwater.test");
      await customer.id("continue").click();
      await customer.id("taken").waitFor();
      await picture(customer.page);
      await customer.id("prove").click();
      const [proof, ...others] = await shownRecords(customer);
      assert.ok(proof !== undefined);
      await picture(customer.page);
      await publish("breakwater.test", [proof], unknownServers);
      const isArchived = async () => (await readState(world.session, holder.id)) === "archived";
      await until(isArchived, "the takeover");
      await publish("breakwater.test", [proof, ...others], unknownServers);
      await customer.step("success");
      await arrive(customer);
    },
  },
];
