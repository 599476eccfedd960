import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { errorAnswer } from "@mooring/testing/widget/fake-service";
import { type Harness, startHarness } from "@mooring/testing/widget/harness";
import {
  connectionId,
  sampleCheck,
  sampleChecked,
  sampleConnection,
  sampleDiagnosis,
  samplePlan,
} from "@mooring/testing/widget/samples";
import { blockedPlan, createFinding, mailPlan } from "@mooring/testing/widget/shots-trouble";

const inView = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
};

describe("what stops a setup", () => {
  let one: Harness;
  before(async () => {
    one = await startHarness();
  });
  after(() => one.close());
  beforeEach(() => one.begin());

  const manual = () => {
    one.service.answers["POST domains:check"] = () => ({
      body: sampleCheck({ auto_configurable: false, credential_fields: [], setup_type: "manual" }),
    });
    one.connection = sampleConnection({ setup_type: "manual" });
  };
  const preview = async (token: string) => {
    await one.id("field-api_token").fill(token);
    await one.id("preview").click();
  };

  it("is no CDN in front: nobody is asked to switch its proxy off", async () => {
    manual();
    await one.open({ connectionId });
    await one.id("guide").waitFor();
    assert.match((await one.id("guide").textContent()) ?? "", /orange cloud/);
    const proxied = { by: "cloudflare", since: "2026-11-15T05:00:00.000Z" } as const;
    one.connection = sampleConnection({ setup_type: "manual", proxied });
    await one.open({ connectionId });
    await one.id("cdn").waitFor();
    assert.doesNotMatch((await one.id("guide").textContent()) ?? "", /orange cloud/);
  });

  it("is shown as soon as it is known, with the cause, the actor and the record", async () => {
    one.connection = sampleConnection({ state: "issuing_cert" });
    one.service.answers["GET connections/{id}/diagnosis"] = () => ({
      body: {
        ...sampleDiagnosis(),
        findings: [
          createFinding({
            code: "caa_forbidden",
            add_records: [
              {
                host: "shop.acme.com",
                type: "CAA",
                value: '0 issue "ca.example"',
                ttl: 300,
                priority: null,
              },
            ],
          }),
        ],
      },
    });
    await one.open({ connectionId });
    await one.step("in_progress");
    assert.equal(await one.id("title").textContent(), "Almost there");
    one.connection = sampleConnection({ state: "issuing_cert", error_code: "caa_forbidden" });
    await one.id("trouble").waitFor();
    assert.equal(await one.id("title").textContent(), "One thing to fix");
    assert.match((await one.id("trouble").textContent()) ?? "", /CAA record forbids.*You can fix/s);
    await one.id("record-value").getByText('0 issue "ca.example"').waitFor();
    const panel = (await one.id("panel").textContent()) ?? "";
    assert.doesNotMatch(panel, /Almost there|We go on without it/);
    // The heading of the new screen has the focus; the cause is said once.
    assert.equal(await one.id("title").evaluate((title) => title.matches(":focus")), true);
    assert.match((await one.id("live").textContent()) ?? "", /^A CAA record forbids/);
    one.checkFinds(sampleConnection({ state: "live" }));
    await one.id("check-now").click();
    await one.step("success");
    assert.equal(await one.id("live").textContent(), "");
  });

  it("answers a check with what it saw and when the next one is, where the eye is", async () => {
    manual();
    await one.page().setViewportSize({ width: 375, height: 600 });
    await one.open({ connectionId, locale: "en" });
    await one.id("check-now").click();
    await one.id("check-answer").waitFor();
    assert.match(
      (await one.id("check-answer").textContent()) ?? "",
      /Checked at .*: the record is not there yet\. The next check is at .* at the latest\./,
    );
    assert.ok(await one.id("check-answer").evaluate(inView));
    await one.id("live").getByText("the record is not there yet").waitFor();
  });

  it("shows the share link beside its button, with mail", async () => {
    manual();
    one.service.answers["POST connections/{id}/share"] = () => ({
      status: 201,
      body: { url: "https://connect.example/share/x?a=1&b=2", expires_at: "2026-11-22T05:00:00Z" },
    });
    await one.page().setViewportSize({ width: 375, height: 600 });
    await one.open({ connectionId });
    await one.id("share").click();
    await one.id("shared").waitFor();
    assert.ok(await one.id("share-url").evaluate(inView));
    const mail = new URL((await one.id("share-mail").getAttribute("href")) ?? "");
    assert.equal(mail.protocol, "mailto:");
    const body = new URLSearchParams(mail.search).get("body") ?? "";
    assert.match(body, /shop\.acme\.com.*https:\/\/connect\.example\/share\/x\?a=1&b=2/s);
  });

  it("is compared record by record, and is no mistake before anybody could act", async () => {
    const [record] = sampleChecked(false).records;
    const wrong = { ...record, observed_value: "old.example.net" };
    const asked: string[] = [];
    let early = true;
    one.page().on("request", (request) => asked.push(request.url()));
    one.service.answers["POST connections/{id}/records:check"] = () => ({
      body: { ...sampleChecked(false), records: [wrong], early },
    });
    one.connection = sampleConnection({ setup_type: "manual", state: "propagating" });
    await one.page().setViewportSize({ width: 1280, height: 800 });
    await one.open({ connectionId });
    await one.id("versus").waitFor();
    assert.equal(await one.id("record-observed").textContent(), "old.example.net");
    assert.equal(await one.id("record-value").textContent(), record?.value);
    const chip = one.id("record-status");
    assert.doesNotMatch((await chip.getAttribute("class")) ?? "", /warn/);
    const sides = async () => {
      const found = await one.id("record-observed").boundingBox();
      const expected = await one.id("record-value").boundingBox();
      assert.ok(found && expected);
      return { isBeside: expected.x > found.x + found.width - 1, isBelow: expected.y > found.y };
    };
    assert.deepEqual(await sides(), { isBeside: true, isBelow: false });
    await one.page().setViewportSize({ width: 375, height: 800 });
    assert.deepEqual(await sides(), { isBeside: false, isBelow: true });
    assert.ok(!asked.some((url) => url.includes("added=true")), "polls say nothing");
    early = false;
    await one.id("check-now").click();
    await one.page().locator("[data-testid=svc-record-status].warn").waitFor();
    assert.equal(asked.filter((url) => url.includes("added=true")).length, 1);
  });

  it("names each copy button by its record", async () => {
    manual();
    await one.open({ connectionId });
    await one.step("manual_configuration");
    const names = await one
      .page()
      .locator(".copy")
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-label")));
    assert.equal(new Set(names).size, names.length);
    await one.page().locator(".copy").first().click();
    await one.id("live").getByText("Copied: Name, CNAME shop").waitFor();
    const first = await one.id("live").locator("span").elementHandle();
    await one.page().locator(".copy").first().click();
    await one.page().waitForFunction((before) => before?.isConnected === false, first);
  });

  it("replaces an MX record only with a consent of its own, after a warning about mail", async () => {
    one.service.answers["POST connections/{id}/records:apply"] = ({ body }) => {
      const isDry = Reflect.get(Object(body), "dry_run") === true;
      return { body: isDry ? mailPlan() : samplePlan({ dry_run: false, applied: true }) };
    };
    await one.open({ connectionId });
    await preview("secret-token");
    await one.id("mail-warning").waitFor();
    await one.id("consent").check();
    assert.equal(await one.id("apply").getAttribute("aria-disabled"), "true");
    await one.id("mail-consent").check();
    await one.id("apply").click();
    await one.step("in_progress");
  });

  it("offers no consent where it cannot help, but the manual way", async () => {
    one.service.answers["POST connections/{id}/records:apply"] = () => ({ body: blockedPlan() });
    await one.open({ connectionId });
    await preview("secret-token");
    await one.id("plan-blocked").waitFor();
    assert.equal(await one.id("consent").count(), 0);
    assert.equal(await one.id("apply").count(), 0);
    assert.match((await one.id("reason").textContent()) ?? "", /cannot be changed from here/);
    await one.id("method-manual").click();
    await one.step("manual_configuration");
  });

  it("says in plain words what a provider refused, and keeps what was entered", async () => {
    one.service.answers["POST connections/{id}/records:apply"] = () =>
      errorAnswer(502, "provider_error", "Cloudflare: 10000 Authentication error.", {
        kind: "auth",
      });
    await one.open({ connectionId });
    await preview("mistyped");
    await one.id("setup-problem").waitFor();
    assert.match(
      (await one.id("setup-problem").textContent()) ?? "",
      /does not accept what you entered.*Nothing was changed/s,
    );
    assert.equal(await one.id("field-api_token").inputValue(), "mistyped");
    let isRefused = false;
    one.service.answers["POST connections/{id}/records:apply"] = ({ body }) => {
      if (Reflect.get(Object(body), "dry_run") === true) return { body: samplePlan() };
      isRefused = true;
      return errorAnswer(502, "provider_error", "Cloudflare does not answer.", {
        kind: "unavailable",
      });
    };
    await one.id("preview").click();
    await one.id("apply").click();
    await one.id("setup-problem").waitFor();
    assert.ok(isRefused);
    await one.id("back").click();
    assert.equal(await one.id("field-api_token").inputValue(), "mistyped");
    await one.id("preview").click();
    await one.id("apply").click();
    await one.id("problem-manual").click();
    await one.step("manual_configuration");
    assert.doesNotMatch(await one.page().content(), /mistyped/);
  });

  it("says why each record is in the way, and what to delete first", async () => {
    const mx = { host: "shop.acme.com", type: "MX", value: "mx.acme.com", ttl: 300, priority: 5 };
    one.service.answers["POST domains:check"] = () => ({
      body: sampleCheck({
        auto_configurable: false,
        credential_fields: [],
        record_conflicts: [mx],
      }),
    });
    one.service.answers["POST connections/{id}/records:check"] = () => ({
      body: sampleChecked(false),
    });
    one.connection = sampleConnection({ setup_type: "manual" });
    await one.open({ domain: "shop.acme.com" });
    await one.id("continue").click();
    await one.id("conflicts").waitFor();
    const found = (await one.id("conflicts").textContent()) ?? "";
    assert.match(found, /MX record receives mail/);
    assert.doesNotMatch(found, /that send/);
    await one.id("continue").click();
    await one.id("delete-first").waitFor();
    assert.match(
      (await one.id("delete-first").textContent()) ?? "",
      /Delete these first.*no longer/s,
    );
  });
});
