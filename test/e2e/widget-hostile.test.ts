import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Caller } from "../support/connecting.ts";
import { hostileDomains, hostileThemes } from "../support/hostile-payloads.ts";
import type { Visitor } from "../support/widget-customer.ts";
import { startWidgetWorld, type WidgetWorld } from "../support/widget-world.ts";

/**
 * The page's own policy is switched off here, so that nothing but the widget stands between what it
 * is given and the browser. Leaving fails when anybody but the service was asked for anything.
 */
describe("hostile values in the widget", { timeout: 240_000 }, () => {
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

  async function visit(): Promise<Visitor> {
    const visitor = await world.visit({ bypassCSP: true });
    dialogs = 0;
    visitor.page.on("dialog", (dialog) => {
      dialogs += 1;
      return dialog.dismiss();
    });
    return visitor;
  }

  const given = (more: object) => ({ applicationId: caller.applicationId, token, ...more });

  async function hasNotRun(visitor: Visitor, what: string): Promise<void> {
    assert.equal(await visitor.page.evaluate("typeof window.pwned"), "undefined", what);
    assert.equal(dialogs, 0, what);
  }

  /** It is there, can be read and typed into, and has left the page as it was. */
  async function isUsable(visitor: Visitor, what: string): Promise<void> {
    await visitor.id("domain").fill("shop.harbour.test", { timeout: 10_000 });
    const box = await visitor.id("panel").boundingBox();
    assert.ok(box !== null && box.width >= 300 && box.height >= 200, what);
    const { width, height } = visitor.page.viewportSize() ?? { width: 0, height: 0 };
    assert.ok(box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height, what);
    const body = await visitor.page.evaluate("getComputedStyle(document.body).display");
    assert.equal(body, "block", what);
  }

  it("as a theme are left out, said so, and change nothing", async () => {
    const visitor = await visit();
    for (const theme of hostileThemes) {
      const what = JSON.stringify(theme).slice(0, 80);
      await visitor.open(given({ theme }));
      await isUsable(visitor, what);
      const errors = (await visitor.told()).filter(({ name }) => name === "svc:error");
      const [key] = Object.keys(theme);
      assert.deepEqual(
        errors.map(({ detail }) => [detail["code"], detail["message"]]),
        [["invalid_theme", `theme.${key} is not safe, or not what it takes`]],
        what,
      );
      await hasNotRun(visitor, what);
      await visitor.page.evaluate("handle.close()");
      await visitor.id("panel").waitFor({ state: "detached" });
    }
    await visitor.leave();
  });

  it("as a domain or a brand are text, and the next try works", async () => {
    const visitor = await visit();
    for (const domain of hostileDomains) {
      await visitor.open(given({ domain, brandName: domain, locale: domain }));
      await visitor.id("continue").click();
      await visitor
        .id("domain-problem")
        .or(visitor.id("provider"))
        .or(visitor.id("continue-anyway"))
        .waitFor();
      const strange = visitor.id("panel").locator("script, style, img, iframe, object, [onerror]");
      assert.equal(await strange.count(), 0, domain);
      await hasNotRun(visitor, domain);
      if ((await visitor.id("domain").count()) === 0) await visitor.id("back").click();
      await isUsable(visitor, domain);
      await visitor.page.evaluate("handle.close()");
      await visitor.id("panel").waitFor({ state: "detached" });
    }
    await visitor.leave();
  });

  it("count fifty and more", () => {
    assert.ok(hostileThemes.length + hostileDomains.length >= 50);
  });

  it("that look like another name are shown as what they are before anything is made", async () => {
    const visitor = await visit();
    await visitor.open(given({ domain: "\u0430pple.test" }));
    await visitor.id("continue").click();
    await visitor.id("provider").waitFor();
    const text = (await visitor.id("panel").textContent()) ?? "";
    assert.match(text, /xn--pple-43d\.test/);
    const warnings = (await visitor.id("warnings").textContent()) ?? "";
    assert.match(warnings, /mixes letters of several scripts/);
    await visitor.leave();
  });

  it("have one way out that is documented: an https logo, asked for without a referrer", async () => {
    const visitor = await visit();
    const headers: (string | undefined)[] = [];
    await visitor.page.route("https://cdn.example/**", async (route) => {
      headers.push(
        await route
          .request()
          .headerValue("referer")
          .then((one) => one ?? undefined),
      );
      await route.abort();
    });
    await visitor.open(given({ theme: { logoUrl: "https://cdn.example/logo.svg" } }));
    await isUsable(visitor, "logo");
    const foreign = visitor.asked.filter((one) => one.startsWith("https:"));
    assert.deepEqual([foreign, headers], [["https://cdn.example/logo.svg"], [undefined]]);
    await visitor.context.close();
  });
});
