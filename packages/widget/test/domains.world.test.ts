import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { violations } from "@mooring/testing/browser/axe";
import { type Harness, startHarness } from "@mooring/testing/widget/harness";
import {
  sampleCheck,
  sampleChecked,
  sampleConnection,
  samplePlan,
} from "@mooring/testing/widget/samples";
import {
  customerToken,
  listing,
  ownConnections,
  pairCheck,
} from "@mooring/testing/widget/shots-domains";

const customer = { token: customerToken };

describe("a customer's own domains", () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness();
  });
  after(() => harness.close());
  beforeEach(() => harness.begin());

  const calls = (key: string) => harness.service.calls.filter((call) => call.key === key);
  const focused = () =>
    harness.page().evaluate(() => {
      const host = [...document.querySelectorAll("*")].find((one) => one.shadowRoot !== null);
      return host?.shadowRoot?.activeElement?.id ?? "";
    });

  it("are shown first when there are any, with what each needs, and a pair as one", async () => {
    listing(harness.service);
    await harness.open(customer);
    await harness.id("domains").waitFor();
    const cards = harness.page().getByTestId("svc-own-domain");
    assert.deepEqual(await cards.locator(".chip").allTextContents(), [
      "Live",
      "Propagating",
      "Ready to switch",
      "Drifted",
    ]);
    assert.match((await cards.nth(2).textContent()) ?? "", /Switch now blog\.acme\.com/);
    assert.match(
      (await cards.nth(0).textContent()) ?? "",
      /acme\.com.*www\.acme\.com leads to it/s,
    );
    assert.match((await cards.nth(1).textContent()) ?? "", /käse\.example/);
    assert.equal(await focused(), "svc-title");
    assert.deepEqual(await violations(harness.page()), []);
  });

  it("are not in the way of a customer who has none, nor of a page that names the domain", async () => {
    listing(harness.service, []);
    await harness.open(customer);
    await harness.id("domain").waitFor();
    assert.equal(await focused(), "svc-domain");
    await harness.begin();
    listing(harness.service);
    await harness.open({ ...customer, domain: "shop.acme.com" });
    await harness.id("your-domains").waitFor();
    assert.equal(await harness.id("domain").inputValue(), "shop.acme.com");
    await harness.id("your-domains").click();
    await harness.id("domains").waitFor();
  });

  it("go on where they were, without typing", async () => {
    listing(harness.service);
    harness.connection = sampleConnection({ state: "propagating", setup_type: "manual" });
    await harness.open(customer);
    await harness.id("open-domain").first().click();
    await harness.step("manual_configuration");
    assert.equal(calls("GET connections/{id}").length > 0, true);
  });

  it("are disconnected after a question, the www with its domain", async () => {
    let rows = [...ownConnections];
    listing(harness.service, rows);
    harness.service.answers["GET connections"] = () => ({
      body: { data: rows, next_cursor: null },
    });
    harness.service.answers["DELETE connections/{id}"] = () => {
      rows = rows.filter(({ hostname }) => !hostname.endsWith("acme.com") || hostname[0] === "s");
      return { body: ownConnections[0] };
    };
    await harness.open(customer);
    await harness.id("remove-domain").first().click();
    await harness.id("remove-confirm").waitFor();
    assert.equal(await focused(), "svc-title");
    assert.deepEqual(await violations(harness.page()), []);
    await harness.id("remove-keep").click();
    await harness.id("domains").waitFor();
    assert.equal(calls("DELETE connections/{id}").length, 0);
    await harness.id("remove-domain").first().click();
    await harness.id("remove-confirm").click();
    await harness.page().getByTestId("svc-own-domain").nth(1).waitFor();
    assert.equal(await harness.page().getByTestId("svc-own-domain").count(), 2);
    assert.equal(calls("DELETE connections/{id}").length, 2);
    assert.equal(await harness.id("live").textContent(), "Disconnected.");
  });

  it("are stored, with a message, when the service cannot disconnect", async () => {
    listing(harness.service);
    harness.service.answers["DELETE connections/{id}"] = () => ({ status: 503, body: {} });
    await harness.open(customer);
    await harness.id("remove-domain").first().click();
    await harness.id("remove-confirm").click();
    await harness.id("remove-problem").waitFor();
    await harness.id("remove-keep").click();
    assert.equal(await harness.page().getByTestId("svc-own-domain").count(), 4);
  });

  async function enterApex(): Promise<void> {
    await harness.open(customer);
    await harness.id("domain").fill("acme.com");
    await harness.id("continue").click();
  }

  it("are connected as a pair by one plan and one token, with the main one chosen", async () => {
    const { service } = harness;
    listing(service, []);
    const check = sampleCheck(pairCheck);
    service.answers["POST domains:check"] = () => ({ body: check });
    const apex = sampleConnection({
      id: "019a8400-0000-7000-8000-00000000000a",
      hostname: "acme.com",
      redirect_to: "www.acme.com",
    });
    const www = sampleConnection({
      id: "019a8400-0000-7000-8000-00000000000b",
      hostname: "www.acme.com",
    });
    service.answers["POST connections:pair"] = () => ({
      status: 201,
      body: { batch_id: apex.id, connections: [apex, www] },
    });
    const byCall = [apex, www];
    let reads = 0;
    service.answers["GET connections/{id}"] = () => {
      reads += 1;
      return { body: byCall[(reads - 1) % 2] };
    };
    service.answers["POST connections/{id}/records:check"] = () => ({ body: sampleChecked(false) });
    service.answers["POST connections/{id}/records:apply"] = () => ({ body: samplePlan() });
    await enterApex();
    await harness.id("pair").waitFor();
    assert.equal(await harness.id("pair-apex").isChecked(), true);
    assert.deepEqual(await violations(harness.page()), []);
    await harness.id("pair-www").check();
    await harness.id("continue").click();
    await harness.step("automatic_setup");
    assert.deepEqual(calls("POST connections:pair")[0]?.body, {
      application_id: sampleConnection().application_id,
      hostname: "acme.com",
      canonical: "www",
    });
    await harness.id("field-api_token").fill("cf-secret");
    await harness.id("preview").click();
    await harness.id("plan").waitFor();
    const [plan] = calls("POST connections/{id}/records:apply");
    assert.deepEqual(plan?.body, {
      provider: "cloudflare",
      fields: { api_token: "cf-secret" },
      pair: true,
      dry_run: true,
    });
  });

  it("are resumed as a pair by the id of either, with one consent for both", async () => {
    const { service } = harness;
    const [apexId, wwwId] = ["a", "b"].map((end) => `019a8400-0000-7000-8000-00000000000${end}`);
    assert.ok(apexId !== undefined && wwwId !== undefined);
    const apex = sampleConnection({ id: apexId, hostname: "acme.com", partner_id: wwwId });
    const www = sampleConnection({
      id: wwwId,
      hostname: "www.acme.com",
      redirect_to: "acme.com",
      partner_id: apexId,
    });
    service.answers["GET connections/{id}"] = ({ path }) => ({
      body: path.endsWith(apexId) ? apex : www,
    });
    const check = sampleCheck({ ...pairCheck, domain_connect: true });
    service.answers["POST domains:check"] = () => ({ body: check });
    service.answers["POST connections/{id}/records:check"] = () => ({ body: sampleChecked(false) });
    service.answers["POST connections/{id}/domain-connect:start"] = () => ({
      body: {
        apply_url: `${service.url}/provider`,
        provider_name: "Cloudflare",
        expires_at: "2026-11-16T12:00:00Z",
        mode: "sync",
        width: 700,
        height: 700,
        covers: [apexId],
      },
    });
    await harness.open({ ...customer, connectionId: wwwId });
    await harness.step("automatic_setup");
    const events = await harness.recordedEvents();
    const last = events.findLast(({ name }) => name === "svc:step");
    assert.deepEqual([last?.detail["domain"], last?.detail["jobId"]], ["acme.com", apexId]);
    const opening = harness.page().waitForEvent("popup");
    await harness.id("method-domain-connect").click();
    await (await opening).close();
    assert.deepEqual(calls("POST connections/{id}/domain-connect:start")[0]?.body, { pair: true });
    await harness.id("one-by-one").waitFor();
    const text = await harness.id("one-by-one").textContent();
    assert.match(text ?? "", /acme\.com now, www\.acme\.com right after it/);
  });

  it("are connected alone where the other name is in use, unless the customer says so", async () => {
    listing(harness.service, []);
    const pair = { ...pairCheck.pair, other_in_use: true };
    harness.service.answers["POST domains:check"] = () => ({
      body: sampleCheck({ ...pairCheck, pair } as object),
    });
    await enterApex();
    await harness.id("pair-in-use").waitFor();
    assert.equal(await harness.id("pair-single").isChecked(), true);
    await harness.id("continue").click();
    await harness.step("automatic_setup");
    assert.equal(calls("POST connections:pair").length, 0);
    assert.equal(calls("POST connections").length, 1);
  });

  it("of somebody else are said to be taken before anything is made, with the ways out", async () => {
    listing(harness.service, []);
    harness.service.answers["POST domains:check"] = () => ({
      body: sampleCheck({ claim: "held" }),
    });
    await harness.open(customer);
    await harness.id("domain").fill("shop.acme.com");
    await harness.id("continue").click();
    await harness.id("taken").waitFor();
    assert.equal(calls("POST connections").length, 0);
    assert.equal(await harness.id("support").getAttribute("href"), "https://acme.example/help");
    assert.deepEqual(await violations(harness.page()), []);
    await harness.id("prove").click();
    await harness.step("manual_configuration");
    const [made] = calls("POST connections");
    assert.deepEqual(made?.body, {
      application_id: sampleConnection().application_id,
      hostname: "shop.acme.com",
      contest: true,
    });
  });
});
