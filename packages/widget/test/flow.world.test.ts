import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { errorAnswer } from "@mooring/testing/widget/fake-service";
import { type Harness, startHarness } from "@mooring/testing/widget/harness";
import {
  applicationId,
  connectionId,
  sampleCheck,
  sampleConflict,
  sampleConnection,
  samplePlan,
} from "@mooring/testing/widget/samples";

describe("the flow of the widget", () => {
  let one: Harness;
  before(async () => {
    one = await startHarness();
  });
  after(() => one.close());
  beforeEach(() => one.begin());

  it("leads with manual setup from the empty field to live, and notifies the page as documented", async () => {
    one.service.answers["POST domains:check"] = () => ({
      body: sampleCheck({ auto_configurable: false, credential_fields: [], setup_type: "manual" }),
    });
    one.connection = sampleConnection({ setup_type: "manual" });
    await one.open();
    await one.id("domain").fill("https://Shop.Acme.com/path");
    await one.page().keyboard.press("Enter");
    await one.id("provider").waitFor();
    await one.id("continue").click();
    await one.step("manual_configuration");
    assert.deepEqual(await one.id("record-host").allTextContents(), ["shop"]);
    one.checkFinds(sampleConnection({ setup_type: "manual", state: "issuing_cert" }));
    await one.id("check-now").click();
    await one.step("in_progress");
    one.connection = sampleConnection({ setup_type: "manual", state: "live" });
    await one.step("success");
    await one.id("done").click();
    await one.id("panel").waitFor({ state: "detached" });
    const about = { domain: "shop.acme.com", provider: "cloudflare" };
    const job = { jobId: connectionId };
    const success = { success: true, setupType: "manual" };
    assert.deepEqual(await one.recordedEvents(), [
      {
        name: "svc:step",
        detail: { domain: null, provider: null, step: "enter_domain", jobId: null },
      },
      {
        name: "svc:step",
        detail: {
          domain: about.domain,
          provider: null,
          step: "domain_analysis",
          jobId: null,
        },
      },
      { name: "svc:step", detail: { ...about, step: "manual_configuration", ...job } },
      { name: "svc:step", detail: { ...about, step: "in_progress", ...job } },
      { name: "svc:step", detail: { ...about, step: "success", ...job } },
      { name: "svc:success", detail: { ...about, ...success, ...job } },
      { name: "onSuccess", detail: { id: connectionId, domain: about.domain } },
      {
        name: "svc:close",
        detail: { ...about, ...success, lastStatus: "live", ...job, reason: "success" },
      },
      { name: "onClose", detail: { id: connectionId, domain: about.domain, succeeded: true } },
    ]);
  });

  it("shows the plan of a pasted token, replaces only consented records, and drops the token", async () => {
    one.service.answers["POST connections/{id}/records:apply"] = ({ body }) => {
      const isDry = Reflect.get(Object(body), "dry_run") === true;
      return { body: isDry ? sampleConflict() : samplePlan({ dry_run: false, applied: true }) };
    };
    await one.open({ connectionId });
    await one.id("field-api_token").fill("secret-token");
    await one.id("preview").click();
    await one.id("plan").waitFor();
    await one.id("apply").click({ force: true });
    assert.equal(await one.id("apply").getAttribute("aria-disabled"), "true");
    await one.id("consent").check();
    await one.id("apply").click();
    await one.step("in_progress");
    const writes = one.service.calls.filter(({ key }) => key.endsWith("records:apply"));
    const credential = { provider: "cloudflare", fields: { api_token: "secret-token" } };
    assert.deepEqual(
      writes.map(({ body }) => body),
      [
        { ...credential, dry_run: true },
        { ...credential, replace: ["change-0"] },
      ],
    );
  });

  it("continues after consent in the provider's window, on a message from the service only", async () => {
    one.service.answers["POST domains:check"] = () => ({
      body: sampleCheck({ domain_connect: true }),
    });
    one.service.answers["POST connections/{id}/domain-connect:start"] = () => ({
      body: {
        apply_url: `${one.service.url}/provider`,
        provider_name: "Cloudflare",
        expires_at: "2026-11-15T06:00:00.000Z",
        covers: [connectionId],
        mode: "sync",
        width: 500,
        height: 600,
      },
    });
    await one.open({ connectionId });
    const opening = one.page().waitForEvent("popup");
    await one.id("method-domain-connect").click();
    const popup = await opening;
    await popup.waitForURL("**/provider");
    await one.page().evaluate(() => {
      window.dispatchEvent(
        new MessageEvent("message", {
          origin: "https://evil.example",
          data: { type: "svc:domain-connect", status: "returned" },
        }),
      );
    });
    assert.equal(await one.id("panel").getAttribute("data-step"), "automatic_setup");
    await popup.getByRole("button").click();
    await one.step("in_progress");
    if (!popup.isClosed()) await popup.waitForEvent("close");
  });

  it("survives an expired session: silently with getToken, with an overlay without it", async () => {
    one.connection = sampleConnection({ state: "propagating" });
    one.service.answers["GET connections/{id}"] = ({ authorization }) =>
      authorization === "Bearer second"
        ? { body: one.connection }
        : errorAnswer(401, "unauthorized", "over");
    await one.page().exposeFunction("freshToken", () => "second");
    await one.page().goto(one.service.url);
    await one.page().evaluate(
      (input) =>
        Reflect.get(window, "Svc").open({
          ...input,
          getToken: Reflect.get(window, "freshToken"),
        }),
      { applicationId, token: "first", connectionId },
    );
    await one.step("in_progress");
    await one.open({ connectionId });
    await one.id("overlay-expired").waitFor();
    assert.equal(await one.id("expired-renew").count(), 0);
    await one.id("expired-close").click();
    const last = (await one.recordedEvents()).at(-2);
    assert.equal(last?.detail["reason"], "expired");
  });
});
