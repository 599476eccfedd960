import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { type Harness, startHarness } from "@mooring/testing/widget/harness";
import {
  connectionId,
  sampleCheck,
  samplePlan,
  sampleTarget,
} from "@mooring/testing/widget/samples";
import { developerCheck, panelCheck } from "@mooring/testing/widget/shots-ways";

describe("the ways to set the records", () => {
  let one: Harness;
  before(async () => {
    one = await startHarness();
  });
  after(() => one.close());
  beforeEach(() => one.begin());

  it("are offered by effort, the easiest one recommended", async () => {
    one.service.answers["POST domains:check"] = () => ({
      body: sampleCheck({ domain_connect: true }),
    });
    await one.open({ connectionId });
    await one.step("automatic_setup");
    const options = one.page().locator(".option");
    assert.deepEqual(
      await options.evaluateAll((all) => all.map((option) => option.getAttribute("data-testid"))),
      ["svc-method-domain-connect", "svc-method-credential", "svc-method-manual"],
    );
    assert.match((await options.first().textContent()) ?? "", /Recommended/);
    assert.match((await options.nth(1).textContent()) ?? "", /About a minute/);
  });

  it("begin with the guided records where a credential is made for developers", async () => {
    one.service.answers["POST domains:check"] = () => ({ body: sampleCheck(developerCheck()) });
    one.service.answers["POST connections/{id}/records:apply"] = () => ({ body: samplePlan() });
    await one.open({ domain: "shop.acme.com" });
    await one.id("continue").click();
    await one.id("provider").waitFor();
    assert.equal(await one.id("setup-type").textContent(), "Guided setup");
    assert.equal(await one.id("by-hand").count(), 0);
    await one.id("continue").click();
    await one.step("manual_configuration");
    assert.equal(
      await one.id("panel-link").getAttribute("href"),
      "https://dcc.godaddy.com/control/dnsmanagement?domainName=acme.com",
    );
    const steps = (await one.id("guide").textContent()) ?? "";
    assert.match(steps, /Open GoDaddy.*Press “Add New Record”.*GoDaddy adds acme\.com.*“Save”/s);
    assert.deepEqual(await one.id("record-host").allTextContents(), ["shop"]);
    // The provider's shortest TTL, not ours.
    assert.match((await one.id("record").first().textContent()) ?? "", /TTL 600/);
    assert.equal(await one.id("automatic").textContent(), "I manage DNS by API");
    await one.id("automatic").click();
    await one.id("credential-form").waitFor();
    const required = () =>
      one
        .page()
        .locator("input[required]")
        .evaluateAll((inputs) => inputs.map((input) => input.getAttribute("name")));
    assert.deepEqual(await required(), ["personal_access_token"]);
    await one.id("alternative-1").check();
    assert.deepEqual(await required(), ["api_key", "api_secret"]);
    await one.id("field-api_key").fill("key");
    await one.id("field-api_secret").fill("secret");
    await one.id("preview").click();
    await one.id("plan").waitFor();
    const [write] = one.service.calls.filter(({ key }) => key.endsWith("records:apply"));
    assert.deepEqual(Reflect.get(Object(write?.body), "fields"), {
      api_key: "key",
      api_secret: "secret",
    });
    await one.id("back").click();
    assert.equal(await one.id("field-api_secret").inputValue(), "secret");
  });

  it("can be left with the keyboard, and nothing that was typed is lost", async () => {
    const focused = () =>
      one
        .page()
        .evaluate("document.activeElement?.shadowRoot?.activeElement?.dataset.testid ?? null");
    const press = async (id: string) => {
      await one.id(id).focus();
      await one.page().keyboard.press("Enter");
    };
    await one.open({ domain: "shop.acme.com" });
    await one.id("continue").click();
    await one.id("provider").waitFor();
    await press("continue");
    await one.id("credential-form").waitFor();
    await one.id("field-api_token").fill("half a tok");
    await press("method-manual");
    await one.step("manual_configuration");
    await press("back");
    await one.id("credential-form").waitFor();
    assert.equal(await focused(), "svc-title");
    assert.equal(await one.id("field-api_token").inputValue(), "half a tok");
    await press("back");
    await one.id("provider").waitFor();
    assert.equal(await focused(), "svc-title");
    await press("continue");
    assert.equal(await one.id("field-api_token").inputValue(), "half a tok");
  });

  it("show where a token is made, step by step, with our addresses where they are asked for", async () => {
    const check = sampleCheck();
    one.service.answers["POST domains:check"] = () => ({
      body: {
        ...check,
        guide: {
          ...check.guide,
          token: {
            url: "https://my.vultr.com/settings/#settingsapi",
            alternatives: [],
            steps: [
              { action: "press", label: "Enable API" },
              { action: "addresses", label: "Access Control" },
              { action: "copy", label: "" },
            ],
            addresses: ["192.0.2.7", "2001:db8::7"],
          },
        },
      },
    });
    await one.open({ connectionId, locale: "de" });
    await one.id("credential-form").waitFor();
    assert.equal(
      await one.id("token-link").getAttribute("href"),
      "https://my.vultr.com/settings/#settingsapi",
    );
    const steps = await one.id("token-steps").locator("li").allTextContents();
    assert.equal(steps.length, 4);
    assert.match(steps[1] ?? "", /Drücken Sie „Enable API“/);
    assert.match(steps[2] ?? "", /Access Control.*192\.0\.2\.7, 2001:db8::7/);
  });

  it("lead through a panel without an API in its words, with values in the form it takes", async () => {
    one.service.answers["POST domains:check"] = () => ({ body: sampleCheck(panelCheck()) });
    await one.open({ connectionId });
    await one.id("guide").waitFor();
    const steps = (await one.id("guide").textContent()) ?? "";
    assert.match(steps, /Domainverwaltung › acme\.com › DNS › TXT- und CNAME-Records/);
    assert.match(
      steps,
      /“Weiteren Record erstellen”.*“Präfix”.*“Wert”.*“Einstellungen übernehmen”/s,
    );
    assert.doesNotMatch(steps, /section|takes no/, "neither note is about these records");
    const values = await one.id("record-value").allTextContents();
    assert.deepEqual(values, [`${sampleTarget}.`]);
    assert.doesNotMatch((await one.id("record").last().textContent()) ?? "", /TTL/);
  });

  it("warn of the orange cloud where records go through a proxy", async () => {
    one.service.answers["POST domains:check"] = () => ({
      body: sampleCheck({ credential_fields: [], auto_configurable: false }),
    });
    await one.open({ connectionId });
    await one.id("guide").waitFor();
    assert.match((await one.id("guide").textContent()) ?? "", /grey \(“DNS only”\)/);
  });
});
