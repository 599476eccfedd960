import assert from "node:assert/strict";
import { applyToken, type Journey, shownRecords, textOfPanel, unknownServers } from "./journey.ts";

/** What a shop owner is never shown. */
const forDevelopers =
  /RFC ?\d|error_code|dry_run|customer_ref|allowed_origins|edge's log|\/v1\/|ACME_/;

/** What is waited for, what is wrong, and what to do about it. */
export const waitingJourneys: readonly Journey[] = [
  {
    name: "03a-a-caa-record-forbids",
    async walk({ open, publish, picture, arrive }) {
      await publish("bakery.test", []);
      const customer = await open({ domain: "caa.bakery.test" });
      await customer.id("continue").click();
      await customer.id("provider").waitFor();
      await picture(customer.page);
      await applyToken(customer);
      await customer.id("apply").click();
      await customer.page.locator("[data-testid=svc-trouble][data-code=caa_forbidden]").waitFor();
      const panel = await textOfPanel(customer);
      assert.match(panel, /One thing to fix.*You can fix this/s);
      assert.doesNotMatch(panel, /Almost there/);
      await picture(customer.page);
      await customer.id("check-now").click();
      await customer.id("check-answer").waitFor();
      await arrive(customer);
    },
  },
  {
    name: "03b-broken-dnssec",
    async walk({ open, publish, picture, arrive }) {
      await publish("orchard.test", []);
      const customer = await open({ domain: "dnssec.orchard.test" });
      await customer.id("continue").click();
      await customer.id("provider").waitFor();
      await picture(customer.page);
      await customer.id("continue").click();
      await customer.id("trouble").waitFor();
      await picture(customer.page);
      await customer.id("check-now").click();
      await customer.id("check-answer").waitFor();
      const panel = await textOfPanel(customer);
      assert.match(panel, /One thing to fix/);
      assert.doesNotMatch(panel, /Almost there/);
      await arrive(customer);
    },
  },
  {
    name: "04-words-for-the-reader",
    async walk({ open, publish, picture, arrive }) {
      await publish("mill.test", []);
      const customer = await open({ domain: "certfail.mill.test" });
      await customer.id("continue").click();
      await applyToken(customer);
      await customer.id("apply").click();
      await customer.step("in_progress");
      await picture(customer.page);
      await customer.id("trouble").waitFor();
      assert.doesNotMatch(await textOfPanel(customer), forDevelopers);
      await arrive(customer);
    },
  },
  {
    name: "05-every-action-answers",
    async walk({ open, publish, picture, arrive }) {
      await publish("quay.test", [], unknownServers);
      const customer = await open({ domain: "shop.quay.test" });
      await customer.id("continue").click();
      await customer.id("continue").click();
      const records = await shownRecords(customer);
      await picture(customer.page);
      await customer.id("check-now").click();
      await customer.id("check-answer").waitFor();
      assert.match(await textOfPanel(customer), /0 of 2 records found\. The next check/);
      await picture(customer.page);
      await customer.id("share").click();
      await customer.id("share-url").waitFor();
      await customer.id("share-mail").waitFor();
      await picture(customer.page);
      await publish("quay.test", records, unknownServers);
      await customer.step("success");
      await arrive(customer);
    },
  },
  {
    name: "07-a-refused-write",
    async walk({ open, publish, picture, arrive }) {
      await publish("foundry.test", []);
      const customer = await open({ domain: "reject.foundry.test" });
      await customer.id("continue").click();
      await customer.id("continue").click();
      await customer.id("field-token").fill("mistyped");
      await customer.id("preview").click();
      await customer.id("setup-problem").waitFor();
      await picture(customer.page);
      assert.equal(await customer.id("field-token").inputValue(), "mistyped");
      await customer.id("field-token").fill("sandbox");
      await customer.id("preview").click();
      await customer.id("apply").click();
      await customer.id("setup-problem").waitFor();
      await picture(customer.page);
      await customer.id("problem-manual").click();
      await publish("foundry.test", await shownRecords(customer));
      await customer.step("success");
      await arrive(customer);
    },
  },
];
