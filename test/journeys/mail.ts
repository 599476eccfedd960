import assert from "node:assert/strict";
import { applyToken, type Journey, type Walk } from "./journey.ts";

/** A live domain of its own zone, at the step for mail, with the token just given. */
async function reachMail({ open, publish, picture }: Walk, zone: string) {
  await publish(zone, [{ host: "@", type: "TXT", value: "v=spf1 include:old.example ~all" }]);
  const customer = await open({ domain: zone, options: { email: true } });
  await customer.id("continue").click();
  await customer.id("pair-single").check();
  await applyToken(customer);
  await customer.id("apply").click();
  await customer.step("email");
  await picture(customer.page);
  return customer;
}

/** Mailboxes, and services that send. */
export const mailJourneys: readonly Journey[] = [
  {
    name: "18-mail-for-the-domain",
    async walk(walk) {
      const customer = await reachMail(walk, "keel.test");
      await customer.id("mailbox-google_workspace").check();
      await customer.id("access-again").check();
      await customer.id("email-apply").click();
      await customer.id("email-write").waitFor();
      assert.ok(!(await walk.zone("keel.test")).some(({ type }) => type === "MX"), "not yet");
      await walk.picture(customer.page);
      await customer.id("email-write").click();
      await customer.id("email-done").waitFor();
      await customer.id("spf-current").waitFor();
      assert.match(
        (await customer.id("spf-current").textContent()) ?? "",
        /v=spf1 include:old\.example ~all/,
      );
      await walk.picture(customer.page);
      const panel = (await customer.id("panel").textContent()) ?? "";
      assert.doesNotMatch(panel, /RFC|dkim_value/, "nothing for developers");
      const written = (await walk.zone("keel.test")).map(({ type }) => type);
      assert.ok(written.includes("MX"), written.join());
      await customer.id("email-done").click();
      await customer.step("success");
      await walk.arrive(customer);
    },
  },
  {
    name: "19-a-service-that-sends",
    async walk(walk) {
      const customer = await reachMail(walk, "rudder.test");
      await customer.id("senders").locator("summary").click();
      await customer.id("mailbox-sendgrid").check();
      await customer.id("mail-sendgrid-return_path").fill("em42");
      await customer.id("email-apply").click();
      await customer.page.locator(".field.is-wrong").waitFor();
      await walk.picture(customer.page);
      await customer.id("mail-sendgrid-account_host").fill("u7.wl9.sendgrid.net");
      await customer.id("access-again").check();
      await customer.id("email-apply").click();
      await customer.id("email-write").click();
      await customer.id("sending-check").click();
      await customer.page.locator("[data-testid=svc-sending-status] [data-status=ready]").waitFor();
      await walk.picture(customer.page);
      await customer.id("email-done").click();
      await customer.step("success");
      await walk.arrive(customer);
    },
  },
];
