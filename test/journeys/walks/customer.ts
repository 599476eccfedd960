import { publishByHand } from "@mooring/testing/browser/widget-world";
import { shownRecords } from "../journey.ts";
import type { PersonWalk } from "./walk.ts";

/** On the demo's page: a domain by hand, then one that serves elsewhere, prepared and switched. */
export const customerWalk: PersonWalk = {
  who: "an end customer",
  async walk(instance, step) {
    const { browser, base, label } = instance;
    const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce" });
    const page = await context.newPage();
    const id = (name: string) => page.getByTestId(`svc-${name}`);
    const reach = (name: string) =>
      page.locator(`[data-testid=svc-panel][data-step=${name}]`).waitFor();
    const open = async (domain: string) => {
      await page.goto(`${base}/demo`);
      await page.getByRole("button", { name: "Connect your domain" }).click();
      await id("domain").fill(domain);
      await id("continue").click();
    };

    step("enters a domain into the empty form");
    const zone = `by-hand-${label}.test`;
    await publishByHand(instance, zone, []);
    await open(`shop.${zone}`);
    await id("continue").click();
    step("adds the records that are shown by hand");
    const customer = { id, step: reach };
    await publishByHand(instance, zone, await shownRecords(customer));
    step("sees that the domain is live");
    await reach("success");
    await id("done").click();

    step("enters a domain that serves visitors elsewhere");
    const busy = `moving-${label}.test`;
    await publishByHand(instance, busy, []);
    await open(`busy.${busy}`);
    await id("move-prepare").waitFor();
    await id("continue").click();
    step("adds what prepares it, while the site stays up");
    const prepared = (await shownRecords(customer)).map((line) => ({ ...line, type: "CNAME" }));
    await publishByHand(instance, busy, prepared);
    step("switches it when it is ready");
    await id("switch").click();
    const moved = await shownRecords(customer);
    await publishByHand(instance, busy, [...prepared, ...moved]);
    step("sees that the moved domain is live");
    await reach("success");
    await context.close();
  },
};
