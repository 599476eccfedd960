import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { call } from "../../packages/control/test/support/http.ts";
import { type Caller, freshZone, putZone } from "../support/connecting.ts";
import { expectedEvents } from "../support/widget-customer.ts";
import {
  publishByHand,
  startWidgetWorld,
  storeCredential,
  type WidgetWorld,
} from "../support/widget-world.ts";

/** From the tenant's button to a live domain, in a browser, through the real service. */
describe("the widget leads to a live domain", { timeout: 240_000 }, () => {
  let world: WidgetWorld;
  let caller: Caller;
  before(async () => {
    world = await startWidgetWorld();
    caller = await world.caller("Harbour");
  });
  after(() => world?.close());

  it("with the tenant's stored credential and a token for this domain, without a question", async () => {
    const stored = await world.caller("Stored");
    await storeCredential(stored);
    const zone = freshZone();
    const domain = `shop.${zone}`;
    await putZone(stored, zone, []);
    const visitor = await world.visit();
    const token = await world.mint(stored, domain);
    await visitor.open({ applicationId: stored.applicationId, token, brandName: "Harbour" });
    assert.equal(await visitor.id("domain").inputValue(), domain, "the token's own domain");
    await visitor.id("continue").click();
    assert.equal(await visitor.id("provider").getAttribute("data-provider"), "sandbox");
    await visitor.id("continue").click();
    await visitor.step("in_progress");
    await world.work();
    await visitor.step("success");
    await visitor.id("done").click();
    await visitor.id("panel").waitFor({ state: "detached" });
    const told = await visitor.told();
    const steps = ["automatic_setup", "in_progress", "success"];
    const about = { domain, provider: "sandbox", setupType: "automatic" };
    assert.deepEqual(told, expectedEvents(told, { ...about, steps }));
    await visitor.leave();
  });

  it("with a pasted token, which replaces what is in the way only with consent", async () => {
    const zone = freshZone();
    const domain = `shop.${zone}`;
    const old = { host: domain, type: "A", value: "203.0.113.7" };
    const mail = { host: zone, type: "MX", value: "mail.example.net", priority: 10 };
    await putZone(caller, zone, [old, mail]);
    const visitor = await world.visit();
    const token = await world.mint(caller);
    await visitor.open({ applicationId: caller.applicationId, token, domain, email: true });
    await visitor.id("continue").click();
    assert.match((await visitor.id("conflicts").textContent()) ?? "", /203\.0\.113\.7/);
    await visitor.id("continue").click();
    await visitor.id("field-token").fill("not-the-token");
    await visitor.id("preview").click();
    await visitor.id("setup-problem").waitFor();
    await visitor.id("field-token").fill("sandbox");
    await visitor.id("preview").click();
    await visitor.id("plan").waitFor();
    assert.equal(await visitor.id("apply").getAttribute("aria-disabled"), "true");
    await visitor.id("apply").click({ force: true });
    assert.equal((await zoneText(zone)).includes("203.0.113.7"), true, "nothing without consent");
    await visitor.id("consent").check();
    await visitor.id("apply").click();
    await world.work();
    await visitor.step("email");
    await visitor.id("mailbox-zoho").check();
    await visitor.id("email-apply").click();
    await visitor.id("email-done").click();
    await visitor.step("success");
    const written = await zoneText(zone);
    assert.ok(!written.includes("203.0.113.7") && written.includes("mail.example.net"), written);
    await visitor.id("done").click();
    await visitor.id("panel").waitFor({ state: "detached" });
    const told = await visitor.told();
    const steps = ["automatic_setup", "in_progress", "email", "success"];
    const about = { domain, provider: "sandbox", setupType: "automatic" };
    assert.deepEqual(told, expectedEvents(told, { ...about, steps }));
    const sent = JSON.stringify(await visitor.page.evaluate("({ ...localStorage })"));
    assert.equal(sent, "{}", "nothing is kept in the browser");
    await visitor.leave();
  });

  it("by hand, record by record, over a reload in the middle", async () => {
    await world.work();
    const zone = freshZone();
    const domain = `shop.${zone}`;
    await publishByHand(caller, zone, []);
    const visitor = await world.visit();
    const given = { applicationId: caller.applicationId, token: await world.mint(caller), domain };
    await visitor.open(given);
    await visitor.id("continue").click();
    assert.equal(await visitor.id("provider").getAttribute("data-provider"), "");
    await visitor.id("continue").click();
    await visitor.step("manual_configuration");
    const hosts = await visitor.id("record-host").allTextContents();
    assert.deepEqual(hosts, ["_service-challenge.shop", "shop"]);
    const [challenge = "", target = ""] = await visitor.id("record-value").allTextContents();
    const statuses = () =>
      visitor.id("record").evaluateAll((all) => all.map((one) => one.getAttribute("data-status")));
    const proof = { host: "_service-challenge.shop", type: "TXT", value: challenge };
    await publishByHand(caller, zone, [proof]);
    await visitor.page.locator("[data-testid=svc-record][data-status=found]").waitFor();
    assert.deepEqual(await statuses(), ["found", "waiting"]);
    assert.match((await visitor.id("live").textContent()) ?? "", /^Found: TXT _service-challenge/);

    await visitor.page.reload();
    await visitor.open(given);
    await visitor.id("continue").click();
    await visitor.id("continue").click();
    await visitor.step("manual_configuration");
    assert.deepEqual((await visitor.id("record-value").allTextContents())[0], challenge);
    await publishByHand(caller, zone, [
      proof,
      { host: "shop", type: "CNAME", value: "old.example.net" },
    ]);
    await visitor.page.locator("[data-testid=svc-record][data-status=different]").waitFor();
    assert.deepEqual(await statuses(), ["found", "different"]);
    await visitor.id("share").click();
    const link = new URL((await visitor.id("share-url").textContent()) ?? "");
    const shared = await call(caller.base, link.pathname);
    assert.ok(shared.status === 200 && shared.text.includes(challenge));
    await publishByHand(caller, zone, [proof, { host: "shop", type: "CNAME", value: target }]);
    await visitor.step("success");
    await visitor.id("done").click();
    await visitor.id("panel").waitFor({ state: "detached" });
    const told = await visitor.told();
    // It may be live before the next look, and the screen in between is not needed.
    const isSeen = (await visitor.steps()).includes("in_progress");
    const steps = ["manual_configuration", ...(isSeen ? ["in_progress"] : []), "success"];
    assert.deepEqual(
      told,
      expectedEvents(told, { domain, provider: null, setupType: "manual", steps }),
    );
    await visitor.leave();
  });

  async function zoneText(zone: string): Promise<string> {
    const path = `/v1/sandbox/zones/${zone}/records`;
    return (await call(caller.base, path, { key: caller.key })).text;
  }
});
