import assert from "node:assert/strict";
import { applyToken, type Journey, shownRecords, unknownServers } from "./journey.ts";

const inTheWay = [
  { host: "shop", type: "A", value: "203.0.113.7" },
  { host: "shop", type: "MX", value: "mail.example.net", priority: 10 },
];

/** Records that are in the way. */
export const conflictJourneys: readonly Journey[] = [
  {
    name: "06a-replacing-an-mx-record",
    async walk({ open, publish, zone, picture, arrive }) {
      await publish("anchor.test", inTheWay);
      const customer = await open({ domain: "shop.anchor.test" });
      await customer.id("continue").click();
      await customer.id("conflicts").waitFor();
      await picture(customer.page);
      await applyToken(customer);
      await customer.id("mail-warning").waitFor();
      await customer.id("consent").check();
      assert.equal(await customer.id("apply").getAttribute("aria-disabled"), "true");
      await picture(customer.page);
      await customer.id("mail-consent").check();
      await customer.id("apply").click();
      await customer.step("success");
      const left = (await zone("anchor.test")).map(({ type }) => type);
      assert.ok(!left.includes("MX") && left.includes("CNAME"), left.join());
      await arrive(customer);
    },
  },
  {
    name: "06b-delete-these-first",
    async walk({ open, publish, picture, arrive }) {
      await publish("cooper.test", inTheWay, unknownServers);
      const customer = await open({ domain: "shop.cooper.test" });
      await customer.id("continue").click();
      await customer.id("conflicts").waitFor();
      await customer.id("continue").click();
      const records = await shownRecords(customer);
      await customer.id("delete-first").waitFor();
      await picture(customer.page);
      await publish("cooper.test", records, unknownServers);
      await customer.step("success");
      await arrive(customer);
    },
  },
];
