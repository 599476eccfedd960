import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import type { Customer } from "@mooring/testing/browser/widget-customer";
import {
  publishByHand,
  startWidgetWorld,
  type WidgetWorld,
} from "@mooring/testing/browser/widget-world";
import { type Caller, freshZone, putZone } from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { freePort } from "@mooring/testing/processes/free-port";

/** A name that serves elsewhere and a wildcard, from the tenant's button to live, in a browser. */
describe("the widget moves a live domain, and connects wildcards", () => {
  let world: WidgetWorld;
  let caller: Caller;
  let origin: Server;
  before(async () => {
    world = await startWidgetWorld({
      VALIDATION_ZONE: "validation.test",
      ORIGIN_ALLOW_PRIVATE: "true",
      EDGE_HTTPS_PORT: String(await freePort()),
    });
    caller = await world.caller("Harbour");
    origin = createServer((_, response) => void response.end("the new place"));
    origin.listen(0, "127.0.0.1");
    await once(origin, "listening");
    const { port } = origin.address() as AddressInfo;
    const body = { origin_url: `http://127.0.0.1:${port}` };
    const path = `/v1/applications/${caller.applicationId}`;
    const set = await call(caller.base, path, { key: caller.key, method: "PATCH", body });
    assert.equal(set.status, 200, set.text);
    await world.work();
  });
  after(async () => {
    await world?.close();
    origin?.closeAllConnections();
    origin?.close();
  });

  async function zoneHosts(zone: string): Promise<readonly string[]> {
    const path = `/v1/sandbox/zones/${zone}/records`;
    const { records } = (await call(caller.base, path, { key: caller.key })).json() as {
      records: { host: string; type: string }[];
    };
    return records.map(({ host, type }) => `${host.replace(`.${zone}`, "")} ${type}`).sort();
  }

  async function open(domain: string, options: object = {}): Promise<Customer> {
    const customer = await world.visit();
    const token = await world.mint(caller, undefined, `customer of ${domain}`);
    await customer.open({ applicationId: caller.applicationId, token, ...options });
    await customer.id("domain").fill(domain);
    await customer.id("continue").click();
    return customer;
  }

  /** Long: a certificate is ordered, and the edge is asked for it. */
  const ready = (customer: Customer) => customer.id("switch").waitFor();

  it("which stays up while it is prepared, and is switched with one button", async () => {
    const zone = freshZone();
    const domain = `busy.${zone}`;
    await putZone(caller, zone, []);
    const customer = await open(domain);
    assert.equal(await customer.id("move-prepare").isChecked(), true, "the safe way first");
    assert.equal(await customer.id("conflicts").count(), 0, "nothing is replaced now");
    await customer.id("continue").click();
    await customer.id("field-token").fill("sandbox");
    await customer.id("preview").click();
    await customer.id("apply").click();
    await customer.step("in_progress");
    assert.equal(await customer.id("title").textContent(), "Your site stays up while we prepare");
    await ready(customer);
    assert.deepEqual(
      await zoneHosts(zone),
      ["_acme-challenge.busy CNAME"],
      "no record leads a visitor away yet",
    );
    const checks = customer.id("move-checks").locator("li");
    assert.equal(await checks.count(), 7);
    assert.equal(await customer.id("title").evaluate((one) => one.matches(":focus")), true);
    await customer.id("access-again").check();
    await customer.id("switch").focus();
    await customer.page.keyboard.press("Enter");
    await customer.step("success");
    assert.match((await customer.id("old-server").textContent()) ?? "", /Keep the old server/);
    assert.ok((await zoneHosts(zone)).includes("busy CNAME"));
    await customer.id("done").click();
    await customer.id("panel").waitFor({ state: "detached" });
    await customer.leave();
  });

  it("by hand, from right to left, with the records of each part and a reload in between", async () => {
    const zone = freshZone();
    const domain = `busy.${zone}`;
    await publishByHand(caller, zone, []);
    const customer = await open(domain, { locale: "ar" });
    await customer.id("move-prepare").waitFor();
    assert.equal(await customer.page.locator("[dir=rtl]").count(), 1);
    await customer.id("continue").click();
    await customer.step("manual_configuration");
    assert.deepEqual(await customer.id("record-host").allTextContents(), ["_acme-challenge.busy"]);
    const [target = ""] = await customer.id("record-value").allTextContents();
    const prepared = [{ host: "_acme-challenge.busy", type: "CNAME", value: target }];
    await publishByHand(caller, zone, prepared);
    await ready(customer);
    await customer.page.reload();
    const token = await world.mint(caller, undefined, `customer of ${domain}`);
    await customer.open({ applicationId: caller.applicationId, token, locale: "ar" });
    await customer.id("open-domain").click();
    await ready(customer);
    await customer.id("switch").click();
    await customer.step("manual_configuration");
    assert.deepEqual(await customer.id("record-host").allTextContents(), ["busy"]);
    const [edge = ""] = await customer.id("record-value").allTextContents();
    await publishByHand(caller, zone, [...prepared, { host: "busy", type: "CNAME", value: edge }]);
    await customer.step("success");
    await customer.leave();
  });

  it("of which every name below is connected with one certificate", async () => {
    const zone = freshZone();
    await putZone(caller, zone, []);
    const customer = await open(`shop.${zone}`);
    await customer.id("wildcard-offer").click();
    const notice = (await customer.id("wildcard").textContent()) ?? "";
    assert.ok(notice.includes(`one.shop.${zone}`), notice);
    await customer.id("continue").click();
    await customer.id("field-token").fill("sandbox");
    await customer.id("preview").click();
    await customer.id("apply").click();
    await customer.step("success");
    assert.equal(await customer.id("visit").count(), 0, "a wildcard has no one page");
    assert.deepEqual(await zoneHosts(zone), ["*.shop CNAME", "_acme-challenge.shop CNAME"]);
    await customer.id("done").click();
    await customer.leave();
  });

  it("and says that a wildcard is not accepted where the application does not", async () => {
    const path = `/v1/applications/${caller.applicationId}`;
    const patch = (wildcards: boolean) =>
      call(caller.base, path, { key: caller.key, method: "PATCH", body: { wildcards } });
    assert.equal((await patch(false)).status, 200);
    const customer = await open(`*.${freshZone()}`);
    await customer.page.locator(".hint.wrong").waitFor();
    await customer.step("enter_domain");
    await customer.leave();
    assert.equal((await patch(true)).status, 200);
  });
});
