import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { WidgetSettings } from "@mooring/sdk";
import { errorAnswer, startFakeService } from "@mooring/testing/widget/fake-service";
import { type Harness, startHarness } from "@mooring/testing/widget/harness";
import {
  applicationId,
  connectionId,
  sampleConnection,
  sampleSettings,
} from "@mooring/testing/widget/samples";

describe("the widget on a page", () => {
  let one: Harness;
  before(async () => {
    one = await startHarness();
  });
  after(() => one.close());
  beforeEach(() => one.begin());

  it("asks before closing unfinished, traps the focus, and restores it", async () => {
    one.connection = sampleConnection({ state: "propagating" });
    await one.open({ connectionId });
    await one.step("in_progress");
    const inside = () =>
      one.page().evaluate(() => document.activeElement?.hasAttribute("data-svc-widget") === true);
    for (let press = 0; press < 12; press += 1) {
      await one.page().keyboard.press(press % 5 === 4 ? "Shift+Tab" : "Tab");
      assert.ok(await inside());
    }
    await one.page().keyboard.press("Escape");
    await one.id("overlay-exit").waitFor();
    await one.id("exit-stay").click();
    await one.id("overlay-exit").waitFor({ state: "detached" });
    await one.id("close").click();
    await one.id("exit-leave").click();
    await one.id("panel").waitFor({ state: "detached" });
    assert.equal(await one.page().evaluate(() => document.activeElement?.id), "open");
  });

  it("works under a strict CSP without touching the page", async () => {
    const errors: string[] = [];
    one.page().on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    one.page().on("pageerror", (error) => errors.push(error.message));
    const address = {
      host: "shop.acme.com",
      type: "A",
      value: "192.0.2.1",
      ttl: 300,
      priority: null,
    };
    one.connection = sampleConnection({ state: "live", desired_records: [address] });
    await one.open({ connectionId, email: true }, "/strict");
    await one.step("email");
    await one.id("email-skip").click();
    await one.step("success");
    const width = await one.id("panel").evaluate((panel) => getComputedStyle(panel).maxWidth);
    assert.equal(width, "540px");
    assert.deepEqual(errors, []);
  });

  it("shows a diagnosis after a time without success", async () => {
    await one.page().clock.install();
    one.connection = sampleConnection({ state: "propagating" });
    await one.open({ connectionId });
    await one.step("in_progress");
    assert.equal(await one.id("stall").count(), 0);
    await one.page().clock.runFor(46_000);
    await one.id("trouble").waitFor();
    assert.match((await one.id("live").textContent()) ?? "", /leads somewhere else/);
    assert.equal(await one.id("title").textContent(), "One thing to fix");
  });

  it("waits while offline and resumes automatically", async () => {
    one.connection = sampleConnection({ state: "propagating" });
    await one.open({ connectionId });
    await one.step("in_progress");
    await one.context().setOffline(true);
    await one.id("offline").waitFor();
    one.connection = sampleConnection({ state: "live" });
    await one.context().setOffline(false);
    await one.step("success");
    const steps = (await one.recordedEvents()).filter(({ name }) => name === "svc:step");
    assert.deepEqual(
      steps.map(({ detail }) => detail["step"]),
      ["domain_analysis", "in_progress", "success"],
    );
  });

  it("names a forgotten origin in the console, and tells the customer that the page is not set up", async () => {
    const other = await startFakeService({});
    try {
      const logged: string[] = [];
      one.page().on("console", (message) => logged.push(message.text()));
      const refusals = [
        () => {
          other.refusesOrigins = true;
        },
        // Another application lists the origin, so that the browser shows the refusal to the
        // widget.
        () => {
          other.refusesOrigins = false;
          const details = { reason: "origin_not_allowed", origin: one.service.url };
          other.answers["GET widget/settings"] = () =>
            errorAnswer(403, "forbidden", "this origin is not allowed", details);
        },
      ];
      for (const refuse of refusals) {
        refuse();
        logged.length = 0;
        await one.open({ baseUrl: other.url });
        await one.step("error");
        assert.equal(await one.id("title").textContent(), "This page is not set up yet");
        const line = logged.find((text) => text.includes("allowed_origins")) ?? "";
        assert.match(line, new RegExp(`PATCH ${other.url}/v1/applications/${applicationId}`));
        assert.ok(line.includes(`["${one.service.url}"]`), line);
      }
    } finally {
      await other.close();
    }
  });

  it("is called as the application's brand or name, and has its colour and logo", async () => {
    const color = { name: null, logo_url: null, color: "#7c3aed", support_url: null };
    let brand: WidgetSettings["brand"] = color;
    one.service.answers["GET widget/settings"] = () => ({ body: sampleSettings({ brand }) });
    await one.open({ brandName: undefined });
    await one.page().locator(".brand").getByText("Acme application").waitFor();
    const accent = () =>
      one
        .page()
        .locator(".root")
        .evaluate((root) => root.style.getPropertyValue("--svc-accent"));
    assert.equal(await accent(), "#7c3aed");
    brand = { ...color, name: "Acme Shops", logo_url: "javascript:alert(1)" };
    await one.open({ brandName: undefined });
    await one.page().locator(".brand").getByText("Acme Shops").waitFor();
    await one.open({ brandName: "Mine", theme: { accentColor: "#010203" } });
    await one.page().locator(".brand").getByText("Mine").waitFor();
    assert.equal(await accent(), "#010203");
  });

  it("does not show the page's host while the name is on its way", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    one.service.answers["GET widget/settings"] = async () => {
      await released;
      return { body: sampleSettings() };
    };
    await one.open({ brandName: undefined });
    await one.id("domain").fill("shop.acme.com");
    // Hidden for a time, which does not end while the settings are likely to come.
    const delays = () =>
      one
        .page()
        .locator(".brand, .lede")
        .evaluateAll((found) => found.map((one) => getComputedStyle(one).animationDelay));
    assert.deepEqual(await delays(), ["3s", "3s"]);
    const box = () => one.id("domain").boundingBox();
    const before = await box();
    release();
    await one.page().locator(".brand").getByText("Acme application").waitFor();
    assert.deepEqual(await delays(), ["0s", "0s"]);
    assert.deepEqual(await box(), before, "nothing moves");
    assert.equal(await one.id("domain").inputValue(), "shop.acme.com");
  });

  it("runs inline as a custom element", async () => {
    await one.page().goto(`${one.service.url}/element`);
    assert.equal(await one.id("domain").inputValue(), "shop.acme.com");
    assert.equal(await one.id("close").count(), 0);
    await one.id("continue").click();
    await one.id("provider").waitFor();
    await one.page().evaluate(() => document.querySelector("svc-connect")?.remove());
    assert.equal(await one.id("panel").count(), 0);
  });

  it("refuses invalid options with a TypeError that names them", async () => {
    await one.page().goto(one.service.url);
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ token: "t" }, /applicationId/],
      [{ applicationId }, /token/],
      [{ applicationId, token: "t", baseUrl: "javascript:alert(1)" }, /baseUrl/],
      [{ applicationId, token: "t", email: "yes" }, /email/],
      [{ applicationId, token: "t", onClose: 1 }, /onClose/],
      [{ applicationId, token: "t", container: "#x" }, /container/],
    ];
    for (const [options, name] of wrong) {
      const message = await one.page().evaluate((input) => {
        try {
          Reflect.get(window, "Svc").open(input);
          return "";
        } catch (error) {
          return error instanceof TypeError ? error.message : "another error";
        }
      }, options);
      assert.match(message, name);
    }
  });
});
