import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import type { Customer } from "@mooring/testing/browser/widget-customer";
import { jobIn } from "@mooring/testing/browser/widget-customer";
import {
  publishByHand,
  startWidgetWorld,
  type WidgetWorld,
} from "@mooring/testing/browser/widget-world";
import {
  type Caller,
  connect,
  freshZone,
  get,
  hurry,
  type Made,
  proofRecord,
  putZone,
  readState,
  toEdge,
  verify,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { until } from "@mooring/testing/processes/until";

const upgradeUrl = "https://harbour.example/plans";

/** Failures during the flow, in a browser, with the real service. */
describe("the widget handles interruptions", () => {
  let world: WidgetWorld;
  let caller: Caller;
  let directory = "";
  /** Live, then drifted and fixed. */
  let owned: Made;
  const ownedZone = freshZone();

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-widget-"));
    const file = path.join(directory, "plans.json");
    const limits = { connect: 1, active_domain: null, cert: null, api_call: null };
    await writeFile(file, JSON.stringify([{ id: "one", name: "One", limits, price_cents: 0 }]));
    world = await startWidgetWorld({
      PLANS_FILE: file,
      DEFAULT_PLAN: "one",
      UPGRADE_URL: upgradeUrl,
    });
    caller = await world.caller("Harbour");
    await world.work();
    owned = await connect(caller, `shop.${ownedZone}`);
    await putZone(caller, ownedZone, [proofRecord(owned), toEdge(owned)]);
  });
  after(async () => {
    await world?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const reach = (id: string, state: string) =>
    until(async () => {
      if ((await readState(world.session, id)) === state) return true;
      await hurry(world.session);
      return false;
    }, state);

  const mintFor = (by: Caller) => world.mint(by, undefined, "customer-7");

  async function mintOptions(domain: string, by = caller): Promise<object> {
    return { applicationId: by.applicationId, token: await mintFor(by), domain };
  }

  /** Passes the first screens; returns the values of the records. */
  async function toRecords(customer: Customer, domain: string): Promise<readonly string[]> {
    await customer.open(await mintOptions(domain));
    await customer.id("continue").click();
    await customer.id("provider").waitFor();
    await customer.id("continue").click();
    await customer.step("manual_configuration");
    return customer.id("record-value").allTextContents();
  }

  const lines = ([challenge = "", target = ""]: readonly string[]) => [
    { host: "_service-challenge.shop", type: "TXT", value: challenge },
    { host: "shop", type: "CNAME", value: target },
  ];

  it("shows a hint with the diagnosis when it takes long, and asks before it closes", async () => {
    const zone = freshZone();
    const domain = `stall.${zone}`;
    await putZone(caller, zone, []);
    const customer = await world.visit();
    await customer.page.clock.install();
    await customer.page.reload();
    await customer.open(await mintOptions(domain));
    await customer.id("continue").click();
    await customer.id("provider").waitFor();
    await customer.id("continue").click();
    await customer.id("field-token").fill("sandbox");
    await customer.id("preview").click();
    await customer.id("apply").click();
    await customer.page.locator("[data-testid=svc-stage-ownership][data-status=done]").waitFor();
    assert.equal(await customer.id("stall").count(), 0);
    // All that is said: the next announcement replaces one that may not have been read here.
    const said = await customer.id("live").evaluateHandle((region) => {
      const texts: string[] = [];
      const Observer = Reflect.get(globalThis, "MutationObserver");
      // Every announcement is an element of its own.
      const note = (
        changes: readonly { readonly addedNodes: Iterable<{ textContent: string | null }> }[],
      ) => {
        for (const { addedNodes } of changes)
          for (const { textContent } of addedNodes) texts.push(textContent ?? "");
      };
      new Observer(note).observe(region, { childList: true });
      return texts;
    });
    await customer.page.clock.runFor(46_000);
    await customer.id("stall").waitFor();
    // What is found can change while it is read.
    await until(async () => {
      const titles = await customer.id("finding").locator("strong").allTextContents();
      // A diagnosis that came too early for it is followed by another, with the next poll.
      if (titles.length === 0) await customer.page.clock.runFor(10_000);
      const texts = await said.jsonValue();
      return titles.some((title) => title !== "" && texts.some((text) => text.includes(title)));
    }, "the finding to be said");
    await customer.page.keyboard.press("Escape");
    await customer.id("overlay-exit").waitFor();
    await customer.page.keyboard.press("Enter");
    await customer.id("overlay-exit").waitFor({ state: "detached" });
    await customer.step("in_progress");
    await customer.id("close").click();
    await customer.id("exit-leave").click();
    await customer.id("panel").waitFor({ state: "detached" });
    const events = await customer.events();
    const jobId = jobIn(events);
    const about = { domain, provider: "sandbox", setupType: "automatic", jobId };
    const end = { success: false, lastStatus: "propagating", reason: "user" };
    assert.deepEqual(events.slice(-2), [
      { name: "svc:close", detail: { ...about, ...end } },
      { name: "onClose", detail: { id: jobId, domain, succeeded: false } },
    ]);
    assert.equal(await customer.page.evaluate("document.activeElement.id"), "open");
    await customer.leave();
  });

  it("reports that a live domain drifted, and that it is restored", async () => {
    await reach(owned.id, "live");
    const foreign = { host: owned.hostname, type: "A", value: "203.0.113.9" };
    await putZone(caller, ownedZone, [proofRecord(owned), foreign]);
    await until(async () => {
      world.app.clock.advance(3_000);
      await hurry(world.session);
      return (await readState(world.session, owned.id)) === "drifted";
    }, "drifted");
    const customer = await world.visit();
    const { applicationId } = caller;
    const token = await world.mint(caller, owned.hostname);
    await customer.open({ applicationId, token, connectionId: owned.id });
    await customer.step("error");
    assert.equal(await customer.id("error").getAttribute("data-kind"), "drifted");
    const about = { domain: owned.hostname, provider: "sandbox", step: "error", jobId: owned.id };
    const errors = (await customer.events()).filter(({ name }) => name === "svc:error");
    assert.equal(errors.length, 1);
    const { message, ...error } = errors[0]?.detail ?? {};
    assert.ok(typeof message === "string" && message !== "");
    assert.deepEqual(error, { ...about, code: "record_mismatch", upgradeUrl: null });
    await customer.id("show-records").click();
    await customer.page.locator("[data-testid=svc-record][data-status=different]").waitFor();
    await putZone(caller, ownedZone, [proofRecord(owned), toEdge(owned)]);
    await customer.step("success");
    await customer.leave();
  });

  it("resumes what the token may reach, and is taken to everybody else", async () => {
    const mine = await world.visit();
    const token = await world.mint(caller, owned.hostname);
    await mine.open({ applicationId: caller.applicationId, token, domain: owned.hostname });
    await mine.id("continue").click();
    await mine.id("provider").waitFor();
    await mine.id("continue").click();
    await mine.step("success");
    assert.equal(jobIn(await mine.events()), owned.id);
    await mine.leave();
    // Another customer of the application, a token of nobody, and another tenant see the same.
    const { applicationId } = caller;
    const domain = owned.hostname;
    await reportsConflict({
      applicationId,
      token: await world.mint(caller, undefined, "7"),
      domain,
    });
    await reportsConflict({ applicationId, token: await world.mint(caller), domain });
    await reportsConflict(await mintOptions(domain, await world.caller("Other")));
  });

  async function reportsConflict(options: object): Promise<void> {
    const other = await world.visit();
    await other.open(options);
    await other.id("continue").click();
    await other.id("taken").waitFor();
    const shown = (await other.id("panel").textContent()) ?? "";
    assert.ok(shown.includes(owned.hostname) && !shown.includes(owned.id));
    await other.id("close").click();
    await other.id("panel").waitFor({ state: "detached" });
    const events = await other.events();
    assert.ok(!JSON.stringify(events).includes(owned.id));
    assert.deepEqual(events.at(-1), {
      name: "onClose",
      detail: { id: null, domain: owned.hostname, succeeded: false },
    });
    await other.leave();
  }

  it("reports that the plan has no more domains, and gives the page the upgrade link", async () => {
    const live = await world.caller("Full", "live");
    await connect(live, "first.full.example");
    const application = `/v1/applications/${live.applicationId}`;
    const body = { allowed_origins: [world.pageUrl] };
    await call(live.base, application, { key: live.key, method: "PATCH", body });
    const customer = await world.visit();
    await customer.open(await mintOptions("second.full.example", live));
    await customer.id("continue").click();
    await customer.id("continue").or(customer.id("continue-anyway")).click();
    await customer.step("error");
    assert.equal(await customer.id("error").getAttribute("data-kind"), "quota");
    const { message, ...error } = (await customer.events()).at(-1)?.detail ?? {};
    assert.ok(typeof message === "string" && message !== "");
    const about = { domain: "second.full.example", provider: null, step: "error", jobId: null };
    assert.deepEqual(error, { ...about, code: "QuotaExceeded", upgradeUrl });
    await customer.leave();
  });

  it("waits while offline, and continues when the network is back", async () => {
    const zone = freshZone();
    await publishByHand(caller, zone, []);
    const customer = await world.visit();
    const values = await toRecords(customer, `shop.${zone}`);
    const jobId = jobIn(await customer.events());
    await customer.context.setOffline(true);
    await customer.id("offline").waitFor();
    await publishByHand(caller, zone, lines(values));
    // While the widget is offline, nothing else triggers a check.
    await verify(caller, jobId);
    await reach(jobId, "live");
    await customer.step("manual_configuration");
    await customer.context.setOffline(false);
    await customer.step("success");
    assert.equal(await customer.id("offline").count(), 0);
    const steps = ["enter_domain", "domain_analysis", "manual_configuration", "success"];
    assert.deepEqual(await customer.steps(), steps);
    await customer.leave();
  });

  it("gets a new token from getToken without a message when the session ends", async () => {
    const zone = freshZone();
    await publishByHand(caller, zone, []);
    let minted = 0;
    const customer = await world.visit({
      mint: () => {
        minted += 1;
        return mintFor(caller);
      },
    });
    const values = await toRecords(customer, `shop.${zone}`);
    assert.equal(minted, 0);
    world.app.clock.advance(61 * 60_000);
    await until(() => minted === 1, "a fresh token");
    await publishByHand(caller, zone, lines(values).slice(0, 1));
    await customer.page.locator("[data-testid=svc-record][data-status=found]").waitFor();
    assert.deepEqual(await customer.id("record-value").allTextContents(), values);
    assert.equal(await customer.id("overlay-expired").count(), 0);
    const events = await customer.events();
    assert.deepEqual(
      events.filter(({ name }) => name === "svc:error"),
      [],
    );
    assert.equal(minted, 1);
    await customer.leave();
  });

  it("reports an expired session without getToken, while the service continues", async () => {
    const zone = freshZone();
    const domain = `shop.${zone}`;
    await publishByHand(caller, zone, []);
    const customer = await world.visit();
    const values = await toRecords(customer, domain);
    world.app.clock.advance(61 * 60_000);
    await customer.id("overlay-expired").waitFor();
    assert.equal(await customer.id("expired-renew").count(), 0);
    await customer.id("expired-close").click();
    await customer.id("panel").waitFor({ state: "detached" });
    const events = await customer.events();
    const jobId = jobIn(events);
    const about = { domain, provider: null, jobId };
    const { message, ...error } = events.at(-3)?.detail ?? {};
    assert.ok(typeof message === "string" && message !== "");
    const step = "manual_configuration";
    assert.deepEqual(error, { ...about, step, code: "unauthorized", upgradeUrl: null });
    const end = { success: false, setupType: "manual", lastStatus: "pending_ownership" };
    assert.deepEqual(events.slice(-2), [
      { name: "svc:close", detail: { ...about, ...end, reason: "expired" } },
      { name: "onClose", detail: { id: jobId, domain, succeeded: false } },
    ]);
    await publishByHand(caller, zone, lines(values));
    await reach(jobId, "live");
    assert.equal((await get(caller, jobId)).json()["state"], "live");
    await customer.leave();
  });
});
