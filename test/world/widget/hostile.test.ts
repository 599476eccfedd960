import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { hostileDomains, hostileThemes } from "@mooring/testing/browser/hostile-payloads";
import type { Customer } from "@mooring/testing/browser/widget-customer";
import { startWidgetWorld, type WidgetWorld } from "@mooring/testing/browser/widget-world";
import type { Caller } from "@mooring/testing/clients/connecting";

/**
 * The page has no content security policy here, so that only the widget protects the browser from
 * the values. `leave` fails when the page requested anything but the service.
 */
describe("hostile values in the widget", () => {
  let world: WidgetWorld;
  let caller: Caller;
  let token = "";
  let dialogs = 0;
  before(async () => {
    world = await startWidgetWorld();
    caller = await world.caller("Harbour");
    token = await world.mint(caller);
  });
  after(() => world?.close());

  async function visit(): Promise<Customer> {
    const customer = await world.visit({ bypassCSP: true });
    dialogs = 0;
    customer.page.on("dialog", (dialog) => {
      dialogs += 1;
      return dialog.dismiss();
    });
    return customer;
  }

  const options = (more: object) => ({ applicationId: caller.applicationId, token, ...more });

  async function hasNotRun(customer: Customer, what: string): Promise<void> {
    assert.equal(await customer.page.evaluate("typeof window.pwned"), "undefined", what);
    assert.equal(dialogs, 0, what);
  }

  /** The widget is visible and usable, and has not changed the page. */
  async function isUsable(customer: Customer, what: string): Promise<void> {
    await customer.id("domain").fill("shop.harbour.test");
    const box = await customer.id("panel").boundingBox();
    assert.ok(box !== null && box.width >= 300 && box.height >= 200, what);
    const { width, height } = customer.page.viewportSize() ?? { width: 0, height: 0 };
    assert.ok(box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height, what);
    const body = await customer.page.evaluate("getComputedStyle(document.body).display");
    assert.equal(body, "block", what);
  }

  it("as a theme are ignored, reported, and change nothing", async () => {
    const customer = await visit();
    for (const theme of hostileThemes) {
      const what = JSON.stringify(theme).slice(0, 80);
      await customer.open(options({ theme }));
      await isUsable(customer, what);
      const errors = (await customer.events()).filter(({ name }) => name === "svc:error");
      const [key] = Object.keys(theme);
      assert.deepEqual(
        errors.map(({ detail }) => [detail["code"], detail["message"]]),
        [["invalid_theme", `theme.${key} is not safe, or not what it takes`]],
        what,
      );
      await hasNotRun(customer, what);
      await customer.page.evaluate("handle.close()");
      await customer.id("panel").waitFor({ state: "detached" });
    }
    await customer.leave();
  });

  it("as a domain or a brand are shown as text, and the next attempt works", async () => {
    const customer = await visit();
    for (const domain of hostileDomains) {
      await customer.open(options({ domain, brandName: domain, locale: domain }));
      await customer.id("continue").click();
      await customer
        .id("domain-problem")
        .or(customer.id("provider"))
        .or(customer.id("continue-anyway"))
        .waitFor();
      const strange = customer.id("panel").locator("script, style, img, iframe, object, [onerror]");
      assert.equal(await strange.count(), 0, domain);
      await hasNotRun(customer, domain);
      if ((await customer.id("domain").count()) === 0) await customer.id("back").click();
      await isUsable(customer, domain);
      await customer.page.evaluate("handle.close()");
      await customer.id("panel").waitFor({ state: "detached" });
    }
    await customer.leave();
  });

  it("are at least fifty", () => {
    assert.ok(hostileThemes.length + hostileDomains.length >= 50);
  });

  it("with confusable characters are shown in ASCII before a connection is created", async () => {
    const customer = await visit();
    await customer.open(options({ domain: "\u0430pple.test" }));
    await customer.id("continue").click();
    await customer.id("provider").waitFor();
    const text = (await customer.id("panel").textContent()) ?? "";
    assert.match(text, /xn--pple-43d\.test/);
    const warnings = (await customer.id("warnings").textContent()) ?? "";
    assert.match(warnings, /mixes letters of several alphabets/);
    await customer.leave();
  });

  it("cause one documented request: an https logo, without a referrer", async () => {
    const customer = await visit();
    const headers: (string | undefined)[] = [];
    await customer.page.route("https://cdn.example/**", async (route) => {
      headers.push(
        await route
          .request()
          .headerValue("referer")
          .then((one) => one ?? undefined),
      );
      await route.abort();
    });
    await customer.open(options({ theme: { logoUrl: "https://cdn.example/logo.svg" } }));
    await isUsable(customer, "logo");
    const foreign = customer.asked.filter((one) => one.startsWith("https:"));
    assert.deepEqual([foreign, headers], [["https://cdn.example/logo.svg"], [undefined]]);
    await customer.context.close();
  });
});
