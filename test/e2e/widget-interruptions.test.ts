import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { call } from "../../packages/control/test/support/http.ts";
import {
  type Caller,
  connect,
  eventually,
  freshZone,
  get,
  hurry,
  type Made,
  proofOf,
  putZone,
  stateOf,
  toEdge,
  verify,
} from "../support/connecting.ts";
import type { Visitor } from "../support/widget-customer.ts";
import { jobIn } from "../support/widget-customer.ts";
import { publishByHand, startWidgetWorld, type WidgetWorld } from "../support/widget-world.ts";

const upgradeUrl = "https://harbour.example/plans";

/** What goes wrong on the way, in a browser, against the real service. */
describe("the widget keeps the customer's place", { timeout: 300_000 }, () => {
  let world: WidgetWorld;
  let caller: Caller;
  let directory = "";
  /** Live, and then drifted and mended. */
  let held: Made;
  const heldZone = freshZone();

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
    held = await connect(caller, `shop.${heldZone}`);
    await putZone(caller, heldZone, [proofOf(held), toEdge(held)]);
  });
  after(async () => {
    await world?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const reach = (id: string, state: string) =>
    eventually(state, 60_000, async () => {
      if ((await stateOf(world.session, id)) === state) return true;
      await hurry(world.session);
      return false;
    });

  async function given(domain: string, by = caller): Promise<object> {
    return { applicationId: by.applicationId, token: await world.mint(by), domain };
  }

  /** Through the first screens to the records; their values. */
  async function toRecords(visitor: Visitor, domain: string): Promise<readonly string[]> {
    await visitor.open(await given(domain));
    await visitor.id("continue").click();
    await visitor.id("provider").waitFor();
    await visitor.id("continue").click();
    await visitor.step("manual_configuration");
    return visitor.id("record-value").allTextContents();
  }

  const lines = ([challenge = "", target = ""]: readonly string[]) => [
    { host: "_service-challenge.shop", type: "TXT", value: challenge },
    { host: "shop", type: "CNAME", value: target },
  ];

  it("gives a hint with the diagnosis when it takes long, and asks before it is left", async () => {
    const zone = freshZone();
    const domain = `stall.${zone}`;
    await putZone(caller, zone, []);
    const visitor = await world.visit();
    await visitor.page.clock.install();
    await visitor.page.reload();
    await visitor.open(await given(domain));
    await visitor.id("continue").click();
    await visitor.id("provider").waitFor();
    await visitor.id("continue").click();
    await visitor.id("field-token").fill("sandbox");
    await visitor.id("preview").click();
    await visitor.id("apply").click();
    await visitor.page.locator("[data-testid=svc-stage-ownership][data-status=done]").waitFor();
    assert.equal(await visitor.id("stall").count(), 0);
    await visitor.page.clock.runFor(46_000);
    await visitor.id("stall").waitFor();
    await visitor.id("finding").first().waitFor();
    const summary = await visitor.id("diagnosis").locator("p").first().textContent();
    assert.equal(await visitor.id("live").textContent(), summary);
    await visitor.page.keyboard.press("Escape");
    await visitor.id("overlay-exit").waitFor();
    await visitor.page.keyboard.press("Enter");
    await visitor.id("overlay-exit").waitFor({ state: "detached" });
    await visitor.step("in_progress");
    await visitor.id("close").click();
    await visitor.id("exit-leave").click();
    await visitor.id("panel").waitFor({ state: "detached" });
    const told = await visitor.told();
    const jobId = jobIn(told);
    const about = { domain, provider: "sandbox", setupType: "automatic", jobId };
    const end = { success: false, lastStatus: "propagating", reason: "user" };
    assert.deepEqual(told.slice(-2), [
      { name: "svc:close", detail: { ...about, ...end } },
      { name: "onClose", detail: { id: jobId, domain, succeeded: false } },
    ]);
    assert.equal(await visitor.page.evaluate("document.activeElement.id"), "open");
    await visitor.leave();
  });

  it("says that a live domain drifted, and sees it come back", async () => {
    await reach(held.id, "live");
    const foreign = { host: held.hostname, type: "A", value: "203.0.113.9" };
    await putZone(caller, heldZone, [proofOf(held), foreign]);
    await eventually("drifted", 60_000, async () => {
      world.app.clock.advance(3_000);
      await hurry(world.session);
      return (await stateOf(world.session, held.id)) === "drifted";
    });
    const visitor = await world.visit();
    const { applicationId } = caller;
    const token = await world.mint(caller);
    await visitor.open({ applicationId, token, connectionId: held.id });
    await visitor.step("error");
    assert.equal(await visitor.id("error").getAttribute("data-kind"), "drifted");
    const about = { domain: held.hostname, provider: "sandbox", step: "error", jobId: held.id };
    const errors = (await visitor.told()).filter(({ name }) => name === "svc:error");
    assert.equal(errors.length, 1);
    const { message, ...error } = errors[0]?.detail ?? {};
    assert.ok(typeof message === "string" && message !== "");
    assert.deepEqual(error, { ...about, code: "record_mismatch", upgradeUrl: null });
    await visitor.id("show-records").click();
    await visitor.page.locator("[data-testid=svc-record][data-status=different]").waitFor();
    await putZone(caller, heldZone, [proofOf(held), toEdge(held)]);
    await visitor.step("success");
    await visitor.leave();
  });

  it("goes on with the same application's connection, and tells another tenant that it is taken", async () => {
    const mine = await world.visit();
    await mine.open(await given(held.hostname));
    await mine.id("continue").click();
    await mine.id("provider").waitFor();
    await mine.id("continue").click();
    await mine.step("success");
    assert.equal(jobIn(await mine.told()), held.id);
    await mine.leave();
    const other = await world.visit();
    await other.open(await given(held.hostname, await world.caller("Other")));
    await other.id("continue").click();
    await other.id("provider").waitFor();
    await other.id("continue").click();
    await other.step("error");
    assert.equal(await other.id("error").getAttribute("data-kind"), "conflict");
    await other.id("close-error").click();
    await other.id("panel").waitFor({ state: "detached" });
    const told = await other.told();
    const known = { domain: held.hostname, provider: "sandbox", jobId: null };
    const { message, ...error } = told.at(-3)?.detail ?? {};
    assert.ok(typeof message === "string" && !message.includes(held.id));
    assert.deepEqual(error, {
      ...known,
      step: "error",
      code: "HostnameConflict",
      upgradeUrl: null,
    });
    const end = { success: false, setupType: "automatic", lastStatus: null, reason: "error" };
    assert.deepEqual(told.slice(-2), [
      { name: "svc:close", detail: { ...known, ...end } },
      { name: "onClose", detail: { id: null, domain: held.hostname, succeeded: false } },
    ]);
    await other.leave();
  });

  it("says that the plan has no more domains, and tells the page where to upgrade", async () => {
    const live = await world.caller("Full", "live");
    await connect(live, "first.full.example");
    const place = `/v1/applications/${live.applicationId}`;
    const body = { allowed_origins: [world.pageUrl] };
    await call(live.base, place, { key: live.key, method: "PATCH", body });
    const visitor = await world.visit();
    await visitor.open(await given("second.full.example", live));
    await visitor.id("continue").click();
    await visitor.id("continue").or(visitor.id("continue-anyway")).click();
    await visitor.step("error");
    assert.equal(await visitor.id("error").getAttribute("data-kind"), "quota");
    const { message, ...error } = (await visitor.told()).at(-1)?.detail ?? {};
    assert.ok(typeof message === "string" && message !== "");
    const about = { domain: "second.full.example", provider: null, step: "error", jobId: null };
    assert.deepEqual(error, { ...about, code: "QuotaExceeded", upgradeUrl });
    await visitor.leave();
  });

  it("waits without a line, and goes on by itself when it is back", async () => {
    const zone = freshZone();
    await publishByHand(caller, zone, []);
    const visitor = await world.visit();
    const values = await toRecords(visitor, `shop.${zone}`);
    const jobId = jobIn(await visitor.told());
    await visitor.context.setOffline(true);
    await visitor.id("offline").waitFor();
    await publishByHand(caller, zone, lines(values));
    // Nobody asks in its place while the widget has no line.
    await verify(caller, jobId);
    await reach(jobId, "live");
    await visitor.step("manual_configuration");
    await visitor.context.setOffline(false);
    await visitor.step("success");
    assert.equal(await visitor.id("offline").count(), 0);
    const steps = ["enter_domain", "domain_analysis", "manual_configuration", "success"];
    assert.deepEqual(await visitor.steps(), steps);
    await visitor.leave();
  });

  it("gets a fresh token by getToken unseen when the session ends", async () => {
    const zone = freshZone();
    await publishByHand(caller, zone, []);
    let minted = 0;
    const visitor = await world.visit({
      mint: () => {
        minted += 1;
        return world.mint(caller);
      },
    });
    const values = await toRecords(visitor, `shop.${zone}`);
    assert.equal(minted, 0);
    world.app.clock.advance(61 * 60_000);
    await eventually("a fresh token", 60_000, () => minted === 1);
    await publishByHand(caller, zone, lines(values).slice(0, 1));
    await visitor.page.locator("[data-testid=svc-record][data-status=found]").waitFor();
    assert.deepEqual(await visitor.id("record-value").allTextContents(), values);
    assert.equal(await visitor.id("overlay-expired").count(), 0);
    const told = await visitor.told();
    assert.deepEqual(
      told.filter(({ name }) => name === "svc:error"),
      [],
    );
    assert.equal(minted, 1);
    await visitor.leave();
  });

  it("says that the session has expired without getToken, while the service goes on", async () => {
    const zone = freshZone();
    const domain = `shop.${zone}`;
    await publishByHand(caller, zone, []);
    const visitor = await world.visit();
    const values = await toRecords(visitor, domain);
    world.app.clock.advance(61 * 60_000);
    await visitor.id("overlay-expired").waitFor();
    assert.equal(await visitor.id("expired-renew").count(), 0);
    await visitor.id("expired-close").click();
    await visitor.id("panel").waitFor({ state: "detached" });
    const told = await visitor.told();
    const jobId = jobIn(told);
    const about = { domain, provider: null, jobId };
    const { message, ...error } = told.at(-3)?.detail ?? {};
    assert.ok(typeof message === "string" && message !== "");
    const step = "manual_configuration";
    assert.deepEqual(error, { ...about, step, code: "unauthorized", upgradeUrl: null });
    const end = { success: false, setupType: "manual", lastStatus: "pending_ownership" };
    assert.deepEqual(told.slice(-2), [
      { name: "svc:close", detail: { ...about, ...end, reason: "expired" } },
      { name: "onClose", detail: { id: jobId, domain, succeeded: false } },
    ]);
    await publishByHand(caller, zone, lines(values));
    await reach(jobId, "live");
    assert.equal((await get(caller, jobId)).json()["state"], "live");
    await visitor.leave();
  });
});
