import assert from "node:assert/strict";
import type { Customer } from "@mooring/testing/browser/widget-customer";
import { applyToken, type Journey, providerServers, shownRecords, textOfPanel } from "./journey.ts";

/** The customer's language, names and screen reader. */
export const languageJourneys: readonly Journey[] = [
  {
    name: "15a-in-german",
    async walk({ open, publish, picture, arrive }) {
      await publish("hafen.test", [], providerServers.cloudflare);
      const customer = await open({
        domain: "shop.hafen.test",
        options: { locale: "de" },
        setting: { locale: "de-DE" },
      });
      await customer.id("continue").click();
      await customer.id("provider").waitFor();
      await picture(customer.page);
      await customer.id("by-hand").click();
      const records = await shownRecords(customer);
      const wrong = records.map((one) =>
        one.type === "TXT" ? one : { ...one, value: "x.example" },
      );
      await publish("hafen.test", wrong, providerServers.cloudflare);
      await customer.id("check-now").click();
      await customer.id("trouble").waitFor();
      await picture(customer.page);
      assert.doesNotMatch(await textOfPanel(customer), /\b(the|your|with|record is)\b/);
      await publish("hafen.test", records, providerServers.cloudflare);
      await customer.step("success");
      await arrive(customer);
    },
  },
  {
    name: "15b-in-arabic",
    async walk({ open, publish, picture, arrive }) {
      await publish("marsa.test", []);
      const customer = await open({ domain: "shop.marsa.test", options: { locale: "ar" } });
      await customer.id("continue").click();
      await customer.id("provider").waitFor();
      await customer.page.locator("[dir=rtl] [data-testid=svc-panel]").waitFor();
      await picture(customer.page);
      await applyToken(customer);
      await picture(customer.page);
      await customer.id("apply").click();
      await customer.step("success");
      await arrive(customer);
    },
  },
  {
    name: "16-names-as-people-write-them",
    async walk({ open, publish, picture, arrive }) {
      const zone = "xn--kse-qla.test";
      await publish(zone, [], providerServers.cloudflare);
      const customer = await open();
      const { page } = customer;
      await customer.id("domain").fill("hello@käse.test");
      await customer.id("domain-problem").waitFor();
      await picture(page);
      await customer.id("domain").fill("http://shop,käse.test/");
      await customer.id("did-you-mean").waitFor();
      await picture(page);
      await customer.id("did-you-mean").click();
      assert.equal(await customer.id("domain").inputValue(), "shop.käse.test");
      await customer.id("continue").click();
      await customer.id("by-hand").click();
      const records = await shownRecords(customer);
      assert.match(
        await textOfPanel(customer),
        /settings of käse\.test.*Full name: shop\.xn--kse-qla\.test/,
      );
      await picture(page);
      await publish(zone, records, providerServers.cloudflare);
      await customer.step("success");
      assert.match(await textOfPanel(customer), /shop\.käse\.test is live/);
      await arrive(customer);
    },
  },
  {
    name: "17-by-keyboard-and-ear",
    async walk({ open, publish, picture, arrive }) {
      await publish("buoy.test", []);
      const customer = await open();
      const { page } = customer;
      await page.evaluate(listen);
      await tabTo(customer, "domain");
      await page.keyboard.type("shop.buoy.test");
      await page.keyboard.press("Enter");
      await customer.id("provider").waitFor();
      await tabTo(customer, "continue");
      await page.keyboard.press("Enter");
      await tabTo(customer, "field-token");
      await page.keyboard.type("sandbox");
      await picture(page);
      await page.keyboard.press("Enter");
      await customer.id("plan").waitFor();
      await tabTo(customer, "apply");
      await picture(page);
      await page.keyboard.press("Enter");
      await customer.step("success");
      const announced = await page.evaluate<string[]>("announced.filter(Boolean)");
      assert.ok(announced.length > 0);
      const repeated = announced.filter((text, index) => text === announced[index - 1]);
      assert.deepEqual(repeated, [], "each change is said once");
      await tabTo(customer, "done");
      await arrive(customer);
    },
  },
];

/** Records every text of the live region, which a screen reader announces. */
const listen = `{
  window.announced = [];
  const region = document.querySelector("[data-svc-widget]").shadowRoot
    .querySelector("[data-testid=svc-live]");
  new MutationObserver(() => announced.push(region.textContent))
    .observe(region, { characterData: true, childList: true, subtree: true });
}`;

async function tabTo({ page }: Customer, id: string): Promise<void> {
  const focused = "document.activeElement?.shadowRoot?.activeElement?.dataset.testid ?? null";
  await page.getByTestId(`svc-${id}`).waitFor();
  for (let press = 0; press < 40; press += 1) {
    if ((await page.evaluate(focused)) === `svc-${id}`) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${id} cannot be reached with Tab`);
}
